import { connectionOptions } from '../options/connection.ts';
import { outputOptions } from '../options/output.ts';
import { requestOptions } from '../options/request.ts';
import type { CommandSpec } from './command.ts';

export const rpc: CommandSpec = {
  name: 'rpc',
  summary: 'send any request and print the raw result',
  description: [
    'The parameters are one JSON object: a word, @FILE, or - for standard input. What the protocol demands of every request (_meta and its like) is added; nothing is checked.',
    'A result that asks for input is printed like any other, and the exit status is 6.',
  ],
  server: true,
  operands: [
    { name: 'METHOD', summary: 'the method, such as tools/list', required: true },
    { name: 'JSON', summary: 'its parameters', required: false },
  ],
  options: [
    {
      title: 'Call',
      options: [{ flags: '--capabilities <@file|json>', summary: 'client capabilities to declare; none otherwise' }],
    },
    requestOptions,
    outputOptions,
    connectionOptions,
  ],
  examples: [
    { line: 'rpc demo server/discover', what: 'without parameters' },
    { line: `rpc demo tools/call '{"name": "get_weather", "arguments": {"city": "Rome"}}'`, what: 'with parameters' },
  ],
  load: async () => (await import('../actions/index.ts')).rpc,
};
