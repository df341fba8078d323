import type { CommandSpec } from './commands/command.ts';
import { commands } from './commands/index.ts';
import type { OptionGroup, OptionSpec } from './options/option.ts';
import { usageOf } from './parse/commander.ts';

/** The reference page of all commands, made from their table. */
export function commandReference(): string {
  const shown = [...commands.values()].filter((spec) => spec.hidden !== true);
  const parts = [
    '# Command reference',
    'Made from the table of commands; `npx vitest run packages/cli -u` brings it up to date.',
    `| Command | |\n| --- | --- |\n${shown.map((spec) => `| [\`${spec.name}\`](#${spec.name}) | ${cell(spec.summary)} |`).join('\n')}`,
    'SERVER is a URL (`https://` is assumed, `http://` for loopback), a script file, a command as one quoted word, `demo`, or a command after `--` at the end of the line. Options may stand anywhere before `--`.',
    exitStatus,
    ...shown.map(commandPart),
    ...sharedGroups(shown).map((group) => `## ${group.title} options\n\n${optionTable(group.options)}`),
  ];
  return `${parts.join('\n\n')}\n`;
}

const exitStatus = `| Exit status | |
| --- | --- |
| 0 | done |
| 1 | the tool ran and says it failed (\`isError\`) |
| 2 | the command line or its arguments are wrong; nothing was sent |
| 3 | the server could not be reached or started, or it went away |
| 4 | authorization is needed or was refused |
| 5 | the server answered with a protocol error |
| 6 | the server needs input that nobody gave; the call is saved |
| 7 | timed out |
| 8 | the result breaks the tool's \`outputSchema\` (with \`--strict\`) |
| 9 | a local policy refused it (a destructive tool without \`--yes\`) |
| 70 | a defect of this program, or its output cannot be written |
| 130 | interrupted |`;

/** Groups that several commands have are described once, at the end. */
function sharedGroups(specs: readonly CommandSpec[]): OptionGroup[] {
  const byTitle = new Map<string, { group: OptionGroup; count: number }>();
  for (const spec of specs) {
    for (const group of spec.options) {
      const known = byTitle.get(group.title);
      // Of two groups with one title, the longer has all that the other has.
      const longest = known === undefined || known.group.options.length < group.options.length ? group : known.group;
      byTitle.set(group.title, { group: longest, count: (known?.count ?? 0) + 1 });
    }
  }
  return [...byTitle.values()].filter(({ count }) => count > 1).map(({ group }) => group);
}

function commandPart(spec: CommandSpec): string {
  const shared = new Set(
    sharedGroups([...commands.values()].filter((each) => each.hidden !== true)).map(({ title }) => title),
  );
  const own = spec.options.filter((group) => !shared.has(group.title) || group.title === 'Call');
  const links = spec.options
    .filter((group) => !own.includes(group))
    .map((group) => `[${group.title}](#${group.title.toLowerCase().replaceAll(' ', '-')}-options)`);
  return [
    `## ${spec.name}`,
    `${spec.summary[0]!.toUpperCase()}${spec.summary.slice(1)}.`,
    `\`\`\`sh\ndragoman ${spec.name} ${usageOf(spec)}\n\`\`\``,
    ...(spec.description ?? []),
    ...(spec.operands.length > 0
      ? [spec.operands.map((each) => `- \`${each.name}\`: ${each.summary}`).join('\n')]
      : []),
    ...own.map((group) => optionTable(group.options)),
    ...(links.length > 0 ? [`Also: ${links.join(', ')}.`] : []),
    ...(spec.examples.length > 0
      ? [`\`\`\`sh\n${spec.examples.map((each) => `dragoman ${each.line}  # ${each.what}`).join('\n')}\n\`\`\``]
      : []),
  ].join('\n\n');
}

function optionTable(options: readonly OptionSpec[]): string {
  return `| Option | | Default | Variable |\n| --- | --- | --- | --- |\n${options.map(row).join('\n')}`;
}

function row(option: OptionSpec): string {
  const choices = option.choices === undefined ? '' : `: ${option.choices.map((choice) => `\`${choice}\``).join(', ')}`;
  const again = option.repeat === true ? '; may be given again' : '';
  const variable = option.env === undefined ? '' : `\`${option.env}\``;
  return `| \`${cell(option.flags)}\` | ${cell(option.summary)}${choices}${again} | ${cell(option.fallback ?? '')} | ${variable} |`;
}

const cell = (text: string): string => text.replaceAll('|', '\\|');
