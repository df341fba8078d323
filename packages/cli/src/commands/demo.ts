import { port } from '../options/values.ts';
import type { CommandSpec } from './command.ts';

export const demo: CommandSpec = {
  name: 'demo',
  summary: 'run the built-in server that shows every feature',
  description: [
    'Without options it serves HTTP on a free port of the loopback interface and says where. It runs until Ctrl-C.',
  ],
  server: false,
  operands: [],
  options: [
    {
      title: 'Serving',
      options: [
        {
          flags: '--http <port>',
          summary: 'serve HTTP on this port of the loopback interface; 0 for any free one',
          parse: port,
        },
        { flags: '--stdio', summary: 'serve standard input and output' },
      ],
    },
  ],
  examples: [
    { line: 'demo --http 3000', what: 'then: dragoman info localhost:3000/mcp' },
    { line: 'tools -- dragoman demo --stdio', what: 'as a command that another dragoman starts' },
  ],
  load: () => import('../actions/demo.ts'),
};
