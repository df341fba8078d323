import { defineConfig } from 'tsdown';

export default defineConfig({
  // What needs Node is reached through `imports` in package.json, so that bundlers for browsers put something else there.
  entry: {
    index: 'src/index.ts',
    'guard-stdout': 'src/wires/guard-stdout.ts',
    listener: 'src/wires/listener.ts',
    'without-node': 'src/wires/without-node.ts',
  },
  format: 'esm',
  platform: 'node',
  dts: { entry: ['src/index.ts', 'src/wires/guard-stdout.ts'] },
  deps: { neverBundle: [/^#/] },
});
