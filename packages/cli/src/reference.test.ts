import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { commands } from './commands/index.ts';
import { flagNames, takesValue } from './options/option.ts';
import { commandReference } from './reference.ts';

test('docs/command-reference.md says what the table of commands says', async () => {
  const file = fileURLToPath(new URL('../../../docs/command-reference.md', import.meta.url));
  await expect(commandReference()).toMatchFileSnapshot(file);
});

test('[P70] a flag takes a value in every command or in none, so that it can stand before the command', () => {
  const known = new Map<string, boolean>();
  for (const command of commands.values()) {
    for (const option of command.options.flatMap((group) => group.options)) {
      for (const name of flagNames(option)) {
        expect(known.get(name) ?? takesValue(option), `${command.name} ${name}`).toBe(takesValue(option));
        known.set(name, takesValue(option));
      }
    }
  }
});
