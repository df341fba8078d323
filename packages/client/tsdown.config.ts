import { defineConfig } from 'tsdown';

export default defineConfig({
  // What needs Node is reached through `imports` in package.json, so that bundlers for browsers put something else there.
  entry: {
    index: 'src/index.ts',
    'open-socket': 'src/wires/open-socket.ts',
    'process-wire': 'src/wires/process-wire.ts',
    undici: 'src/wires/undici.ts',
    'without-node': 'src/wires/without-node.ts',
  },
  format: 'esm',
  platform: 'node',
  dts: { entry: 'src/index.ts' },
  deps: { neverBundle: [/^#/] },
});
