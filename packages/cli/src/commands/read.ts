import { connectionOptions } from '../options/connection.ts';
import { inputOptions } from '../options/input.ts';
import { outputOptions, saveOption } from '../options/output.ts';
import { requestOptions } from '../options/request.ts';
import type { CommandSpec } from './command.ts';

export const read: CommandSpec = {
  name: 'read',
  summary: 'read a resource',
  description: [
    'The URI is sent exactly as it is written. Binary contents are described, and written with --save or --output raw.',
  ],
  server: true,
  operands: [{ name: 'URI', summary: 'the resource', required: true }],
  options: [
    requestOptions,
    inputOptions,
    { title: outputOptions.title, options: [...outputOptions.options, saveOption] },
    connectionOptions,
  ],
  examples: [
    { line: 'read demo clock://now', what: 'its text' },
    { line: 'read demo archive://treaties/1479.md --output raw > 1479.md', what: 'nothing but its contents' },
  ],
  load: async () => (await import('../actions/index.ts')).read,
};
