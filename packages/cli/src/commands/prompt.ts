import { connectionOptions } from '../options/connection.ts';
import { inputOptions } from '../options/input.ts';
import { outputOptions, saveOption } from '../options/output.ts';
import { requestOptions } from '../options/request.ts';
import type { CommandSpec } from './command.ts';

export const prompt: CommandSpec = {
  name: 'prompt',
  summary: 'get a prompt',
  description: ['Arguments are key=value, key@FILE, or one JSON object; the values of a prompt are always text.'],
  server: true,
  operands: [
    { name: 'NAME', summary: 'the prompt', required: true },
    { name: 'ARGS', summary: 'its arguments', required: false, rest: true },
  ],
  options: [
    {
      title: 'Prompt',
      options: [
        {
          flags: '--args <json|@file|->',
          summary: 'arguments as one JSON object: given here, in a file, or on standard input',
        },
      ],
    },
    requestOptions,
    inputOptions,
    { title: outputOptions.title, options: [...outputOptions.options, saveOption] },
    connectionOptions,
  ],
  examples: [{ line: 'prompt demo plan_trip city=Rome days=3', what: 'its messages' }],
  load: async () => (await import('../actions/index.ts')).prompt,
};
