import { connectionOptions } from '../options/connection.ts';
import { outputOptions } from '../options/output.ts';
import type { CommandSpec } from './command.ts';

export const info: CommandSpec = {
  name: 'info',
  summary: 'who a server is and what it offers',
  description: [
    'Shows identity, era, the negotiated protocol version and how it was reached, capabilities, extensions, instructions, and how many tools, prompts and resources there are.',
  ],
  server: true,
  operands: [],
  options: [outputOptions, connectionOptions],
  examples: [
    { line: 'info https://mcp.example.com/mcp', what: 'a server on the web' },
    { line: 'info -- npx -y @scope/server --flag', what: 'a command; its own flags stay its own' },
    { line: 'info demo', what: 'the built-in server' },
  ],
  load: async () => (await import('../actions/index.ts')).info,
};
