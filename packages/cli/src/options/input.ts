import type { OptionGroup } from './option.ts';
import { pair } from './values.ts';

/** Who answers when the server asks. */
export const inputOptions: OptionGroup = {
  title: 'When the server asks',
  options: [
    { flags: '--answer <key=json>', summary: 'answer to the question with this key', repeat: true, parse: pair },
    { flags: '--answers <file>', summary: 'JSON file with answers by key' },
    {
      flags: '--elicit <json|@file>',
      summary: 'answer to forms: the fields as an object, or {"action": "decline"}',
      repeat: true,
    },
    {
      flags: '--elicit-exec <command>',
      summary: 'command that gets the question on standard input and prints the answer',
    },
    { flags: '--sampling <text|@file>', summary: 'answer to sampling requests (deprecated in 2026-07-28)' },
    {
      flags: '--sampling-exec <command>',
      summary: 'command that gets the sampling request on standard input and prints the answer',
    },
    {
      flags: '--root <name=path>',
      summary: 'a root to show to the server (deprecated in 2026-07-28)',
      repeat: true,
      parse: pair,
    },
    { flags: '--no-input', summary: 'never ask on the terminal' },
    {
      flags: '--capabilities <@file|json>',
      summary: 'client capabilities to declare, instead of what the options above can answer',
    },
    { flags: '--continuation <@file|json>', summary: 'go on with a call that stopped with exit status 6' },
  ],
};
