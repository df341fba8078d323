import { defineConfig } from 'tsdown';

// typebox is inlined into the json-schema entry, so that installing the package installs nothing else.
export default defineConfig({
  entry: { index: 'src/index.ts', 'json-schema/index': 'src/json-schema/index.ts' },
  format: 'esm',
  platform: 'neutral',
  dts: true,
  noExternal: [/^typebox/],
  inputOptions: { resolve: { conditionNames: ['import', 'default'] } },
});
