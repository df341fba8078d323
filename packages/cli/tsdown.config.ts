import { defineConfig } from 'tsdown';
import { thirdParty } from '../../scripts/third-party.ts';

// Everything that is ours, and everything that only the command needs, is in the bundle: an unbundled start takes several
// times as long.
export default defineConfig({
  entry: { main: 'src/main.ts' },
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  dts: false,
  plugins: [thirdParty()],
  deps: {
    alwaysBundle: [/^@dragoman\//, /^typebox/, /^undici/],
    neverBundle: ['cross-spawn', '@jmespath-community/jmespath'],
  },
  inputOptions: { resolve: { conditionNames: ['dragoman-source', 'node', 'import', 'default'] } },
});
