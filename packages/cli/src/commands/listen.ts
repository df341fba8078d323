import { connectionOptions } from '../options/connection.ts';
import { outputOptions } from '../options/output.ts';
import { count, duration } from '../options/values.ts';
import type { CommandSpec } from './command.ts';

export const listen: CommandSpec = {
  name: 'listen',
  summary: 'print changes as a server announces them',
  description: [
    'One line per event until Ctrl-C, --count or --for. What to listen for is chosen with the options; without any, all that the server announces of its lists. A stream that drops is opened again, and a command that ends is started again.',
  ],
  server: true,
  operands: [],
  options: [
    {
      title: 'Events',
      options: [
        { flags: '--tools', summary: 'changes of the list of tools' },
        { flags: '--prompts', summary: 'changes of the list of prompts' },
        { flags: '--resources', summary: 'changes of the list of resources' },
        { flags: '--uri <uri>', summary: 'changes of one resource', repeat: true },
        { flags: '--count <number>', summary: 'stop after so many events', parse: count },
        { flags: '--for <time>', summary: 'stop after so long', parse: duration },
        {
          flags: '--exec <command>',
          summary: 'run a command for each event, with the event as JSON on its standard input',
        },
      ],
    },
    outputOptions,
    connectionOptions,
  ],
  examples: [
    { line: 'listen demo --uri clock://now --count 3', what: 'three ticks of the clock' },
    { line: 'listen localhost:3000/mcp --tools --json', what: 'one JSON line per change' },
  ],
  load: async () => (await import('../actions/index.ts')).listen,
};
