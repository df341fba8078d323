import { connectionOptions } from '../options/connection.ts';
import { outputOptions } from '../options/output.ts';
import type { CommandSpec } from './command.ts';

export const prompts: CommandSpec = {
  name: 'prompts',
  summary: 'list the prompts of a server',
  server: true,
  operands: [],
  options: [outputOptions, connectionOptions],
  examples: [{ line: 'prompts demo', what: 'all of them, with their arguments' }],
  load: async () => (await import('../actions/index.ts')).prompts,
};
