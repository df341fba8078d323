import { connectionOptions } from '../options/connection.ts';
import { outputOptions } from '../options/output.ts';
import type { CommandSpec } from './command.ts';

export const tools: CommandSpec = {
  name: 'tools',
  summary: 'list the tools of a server, or describe one',
  description: [
    'Lists the name to call a tool by, its title, what it says of its own behaviour, and its description. With NAME, shows its arguments and its result as tables and as JSON Schema.',
    'Tools whose x-mcp-header is invalid are left out and named with the reason.',
  ],
  server: true,
  operands: [{ name: 'NAME', summary: 'the tool to describe', required: false }],
  options: [outputOptions, connectionOptions],
  examples: [
    { line: 'tools demo', what: 'all of them' },
    { line: 'tools demo get_weather', what: 'one of them, with its arguments' },
    { line: "tools demo --select 'tools[].name'", what: 'only the names' },
  ],
  load: async () => (await import('../actions/index.ts')).tools,
};
