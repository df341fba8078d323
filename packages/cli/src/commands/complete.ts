import { connectionOptions } from '../options/connection.ts';
import { outputOptions } from '../options/output.ts';
import { requestOptions } from '../options/request.ts';
import { pair } from '../options/values.ts';
import type { CommandSpec } from './command.ts';

export const complete: CommandSpec = {
  name: 'complete',
  summary: 'suggest values for an argument of a prompt or a variable of a resource template',
  description: ['REF is prompt:NAME, or the URI template itself. Suggestions are printed one a line.'],
  server: true,
  operands: [
    { name: 'REF', summary: 'prompt:NAME, or a URI template', required: true },
    { name: 'ARG', summary: 'the argument or variable', required: true },
    { name: 'PREFIX', summary: 'what has been typed of its value', required: false },
  ],
  options: [
    {
      title: 'Completion',
      options: [
        {
          flags: '--context <name=value>',
          summary: 'value of another argument, already known',
          repeat: true,
          parse: pair,
        },
      ],
    },
    requestOptions,
    outputOptions,
    connectionOptions,
  ],
  examples: [
    { line: 'complete demo prompt:plan_trip city R', what: 'cities that R fits' },
    { line: "complete demo 'weather://{city}' city", what: 'values of a template variable' },
  ],
  load: async () => (await import('../actions/index.ts')).complete,
};
