import { outputOptions } from '../options/output.ts';
import type { CommandSpec } from './command.ts';

export const tour: CommandSpec = {
  name: 'tour',
  summary: 'start the demo server and show what this command can do with it',
  server: false,
  operands: [],
  options: [
    {
      title: 'Output',
      options: [
        ...outputOptions.options.filter((option) => option.flags === '--color <when>'),
        { flags: '--no-input', summary: 'never ask on the terminal' },
      ],
    },
  ],
  examples: [],
  hidden: true,
  load: () => import('../actions/tour.ts'),
};
