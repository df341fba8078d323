import type { OptionGroup, OptionSpec } from './option.ts';

/** What is printed, and how. */
export const outputOptions: OptionGroup = {
  title: 'Output',
  options: [
    {
      flags: '--output <format>',
      summary: 'text for people; json and jsonl for programs; raw for nothing but the payload',
      choices: ['text', 'json', 'jsonl', 'raw'],
      fallback: 'text',
      env: 'DRAGOMAN_OUTPUT',
    },
    { flags: '--json', summary: 'the same as --output json' },
    { flags: '--select <expression>', summary: 'print only a part of the result: a JSON pointer (/a/0) or JMESPath' },
    {
      flags: '--color <when>',
      summary: 'colour the output',
      choices: ['auto', 'always', 'never'],
      fallback: 'auto: on a terminal, unless NO_COLOR is set',
      env: 'DRAGOMAN_COLOR',
    },
    { flags: '-q, --quiet', summary: 'no progress, warnings or notes on standard error' },
    {
      flags: '-v, --verbose',
      summary: "say how the connection was made and show a command's own messages; -vv: every message",
      repeat: true,
    },
  ],
};

/** For commands whose results can hold files. */
export const saveOption: OptionSpec = {
  flags: '--save <dir>',
  summary: 'write images, audio, binary and large text to files in this directory and print their paths',
};
