import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: { index: 'src/index.ts', 'guard-stdout': 'src/wires/guard-stdout.ts' },
  format: 'esm',
  platform: 'node',
  dts: true,
});
