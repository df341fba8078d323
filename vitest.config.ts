import { defineConfig } from 'vitest/config';

// Tests run the packages' sources, never a build of them. The condition's name is our own, for other packages have a
// "source" too.
const conditions = ['dragoman-source', 'node', 'import', 'module', 'default'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: [
      'packages/*/src/**/*.test.ts',
      'packages/*/test/**/*.test.ts',
      'examples/**/*.test.ts',
      'docs/**/*.test.ts',
      'conformance/**/*.test.ts',
      'fuzz/**/*.test.ts',
      'scripts/**/*.test.mjs',
    ],
    testTimeout: 15_000,
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.ts'],
      exclude: ['**/*.test.ts', '**/index.ts'],
      reporter: ['text-summary', 'json-summary', 'html'],
    },
  },
});
