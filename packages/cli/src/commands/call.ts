import { connectionOptions } from '../options/connection.ts';
import { inputOptions } from '../options/input.ts';
import { outputOptions, saveOption } from '../options/output.ts';
import { requestOptions } from '../options/request.ts';
import type { CommandSpec } from './command.ts';

export const call: CommandSpec = {
  name: 'call',
  summary: 'call a tool',
  description: [
    "Arguments are key=value, converted by the tool's schema; key:=JSON, sent as it is; key@FILE and key:@FILE, read from a file as text or as JSON (key=@- is standard input, and a value that begins with @ is written key=@@value). a.b=1, items[0].id=1 and tags[]=x build nested values. Or give one JSON object, as a word or with --args.",
    'The arguments are checked against the whole schema before anything is sent. With nothing but JSON arguments the tools are not listed: a call to a known server is one request, checked only where the schema is in the cache.',
    'A tool that says it is destructive asks first on a terminal and needs --yes without one.',
  ],
  server: true,
  operands: [
    { name: 'TOOL', summary: 'the tool to call', required: true },
    { name: 'ARGS', summary: 'its arguments', required: false, rest: true },
  ],
  options: [
    {
      title: 'Call',
      options: [
        {
          flags: '--args <json|@file|->',
          summary: 'arguments as one JSON object: given here, in a file, or on standard input',
        },
        { flags: '--no-validate', summary: 'say what is wrong with the arguments, and send them all the same' },
        { flags: '-y, --yes', summary: 'call a destructive tool without asking' },
        {
          flags: '--strict',
          summary: "fail when the result breaks the tool's outputSchema, or its schema cannot be used",
        },
      ],
    },
    requestOptions,
    inputOptions,
    { title: outputOptions.title, options: [...outputOptions.options, saveOption] },
    connectionOptions,
  ],
  examples: [
    { line: 'call demo get_weather city=Rome', what: 'key=value, by the schema of the tool' },
    { line: `call demo get_weather '{"city": "Rome"}'`, what: 'one JSON object' },
    { line: 'call get_weather city=Rome -- node server.js', what: 'a command as the server' },
    { line: 'call demo draw_picture --save out', what: 'what is not text goes to files' },
  ],
  load: async () => (await import('../actions/index.ts')).call,
};
