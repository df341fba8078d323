import { connectionOptions } from '../options/connection.ts';
import { outputOptions } from '../options/output.ts';
import type { CommandSpec } from './command.ts';

export const resources: CommandSpec = {
  name: 'resources',
  summary: 'list the resources of a server',
  server: true,
  operands: [],
  options: [outputOptions, connectionOptions],
  examples: [{ line: 'resources demo', what: 'all of them, with the URI to read each by' }],
  load: async () => (await import('../actions/index.ts')).resources,
};
