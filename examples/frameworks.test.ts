import { test } from 'vitest';
import { expectCounting } from './support/counting.ts';

test.each(['node-http', 'express', 'fastify', 'hono'])('%s', (name) =>
  expectCounting(process.execPath, [`examples/${name}/server.mjs`, '0']),
);
