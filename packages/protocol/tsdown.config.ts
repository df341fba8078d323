import { defineConfig } from 'tsdown';
import { thirdParty } from '../../scripts/third-party.ts';

// typebox is inlined into the json-schema entry, so that installing the package installs nothing else.
export default defineConfig({
  entry: { index: 'src/index.ts', 'json-schema/index': 'src/json-schema/index.ts' },
  format: 'esm',
  platform: 'neutral',
  fixedExtension: true,
  dts: true,
  plugins: [thirdParty()],
  deps: { alwaysBundle: [/^typebox/] },
  inputOptions: { resolve: { conditionNames: ['import', 'default'] } },
});
