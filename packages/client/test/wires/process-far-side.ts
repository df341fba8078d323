import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type StdioOptions, type StdioWire, stdioWire } from '../../src/wires/stdio.ts';

/** A directory that is gone after the tests. */
export function temporary(): { readonly path: string; write(name: string, text: string): string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'dragoman-wires-'));
  return {
    path,
    write(name, text) {
      const file = join(path, name);
      writeFileSync(file, text);
      return file;
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

/**
 * What every server here begins with: `on(message)` for each line of stdin, `say(object)` for a line of stdout, `answer`
 * for a result. It exits when stdin ends, unless it says otherwise.
 */
const PRELUDE = `
const say = (object) => process.stdout.write(JSON.stringify(object) + '\\n');
const answer = (id, result = { resultType: 'complete' }) => say({ jsonrpc: '2.0', id, result });
let rest = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (text) => {
  rest += text;
  for (let at = rest.indexOf('\\n'); at >= 0; at = rest.indexOf('\\n')) {
    const line = rest.slice(0, at);
    rest = rest.slice(at + 1);
    on(JSON.parse(line));
  }
});
`;

/** The source of a server whose reaction to a message is the body of \`on(message)\`. */
export const serverSource = (body: string, setup = ''): string =>
  `${setup}\nfunction on(message) { ${body} }\n${PRELUDE}`;

/** Starts a server written in a few lines. */
export function serve(body: string, options?: StdioOptions & { readonly setup?: string }): Promise<StdioWire> {
  return stdioWire({ command: process.execPath, args: ['-e', serverSource(body, options?.setup)] }, options);
}

/** Whether a process lives. One that is dead but not yet buried does not. */
export function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return process.platform !== 'linux' || state(pid) !== 'Z';
}

function state(pid: number): string {
  try {
    const stat = process.getBuiltinModule('node:fs').readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3);
  } catch {
    return 'Z';
  }
}
