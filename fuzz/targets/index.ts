import type { Target } from '../target.ts';
import { target as codec } from './codec.ts';
import { target as cursors } from './cursors.ts';
import { target as engine } from './engine.ts';
import { target as headers } from './headers.ts';
import { target as httpClient } from './http-client.ts';
import { target as httpServer } from './http-server.ts';
import { target as lines } from './lines.ts';
import { target as schema } from './schema.ts';
import { target as seal } from './seal.ts';
import { target as sse } from './sse.ts';
import { target as streamClient } from './stream-client.ts';
import { target as streamServer } from './stream-server.ts';
import { target as templates } from './templates.ts';

/** Everything that is fuzzed, each in the file of its name. */
export const targets: readonly Target[] = [
  codec,
  sse,
  lines,
  headers,
  schema,
  templates,
  cursors,
  seal,
  engine,
  streamServer,
  streamClient,
  httpServer,
  httpClient,
];
