import { connectionOptions } from '../options/connection.ts';
import { outputOptions } from '../options/output.ts';
import type { CommandSpec } from './command.ts';

export const templates: CommandSpec = {
  name: 'templates',
  summary: 'list the resource templates of a server',
  server: true,
  operands: [],
  options: [outputOptions, connectionOptions],
  examples: [{ line: 'templates demo', what: 'all of them, with their URI templates (RFC 6570)' }],
  load: async () => (await import('../actions/index.ts')).templates,
};
