import { checkCount, checkWait } from '../check-options.ts';
import { LineWire } from './line-wire.ts';
import { fingerprint, maskCommand } from './mask.ts';
import { nodePipe } from './pipe.ts';
import { printable } from './printable.ts';
import { ProcessLife, REAP } from './process-life.ts';
import { type Child, startProcess } from './start-process.ts';
import type { StderrRing } from './stderr-ring.ts';
import type { CommandTarget, StdioOptions, StdioWire } from './stdio.ts';
import { within } from './within.ts';

/** Starts a process and makes a wire to it: what `stdioWire` does. */
export async function processWire(target: CommandTarget, options: StdioOptions): Promise<StdioWire> {
  checkWait('closeGrace', options.closeGrace);
  checkWait('terminateGrace', options.terminateGrace);
  checkCount('stderrBytes', options.stderrBytes, 0);
  checkCount('maxMessageBytes', options.maxMessageBytes, 1);
  return new ProcessWire(await startProcess(target, options.spawn), target, options);
}

class ProcessWire extends LineWire implements StdioWire {
  override readonly kind = 'stdio';
  readonly pid: number;
  readonly #stderr: StderrRing;

  constructor(child: Child, target: CommandTarget, options: StdioOptions) {
    const words = [target.command, ...(target.args ?? [])];
    const life = new ProcessLife(child, options);
    const where = target.cwd === undefined ? '' : `${target.cwd}$ `;
    const shown = printable(maskCommand(words), 300);
    super(nodePipe(child.stdout, child.stdin), {
      kind: 'stdio',
      target: shown,
      identity: `stdio:${where}${maskCommand(words, fingerprint)}${environmentKey(target.env)}`,
      maxMessageBytes: options.maxMessageBytes,
      explain: (cause) => life.explain(shown, cause),
      shutDown: (end) => life.shutDown(end),
    });
    this.pid = child.pid;
    this.#stderr = life.stderr;
    const decoder = new TextDecoder();
    child.stderr.on('data', (chunk: Uint8Array) => {
      life.stderr.push(chunk);
      this.observers.stderr(decoder.decode(chunk, { stream: true }));
    });
    // What the process started may hold its stdout open without ever answering for it.
    void life.exited.then(() => within(REAP, life.closed)).then(() => this.peerGone());
  }

  stderrTail(): string {
    return this.#stderr.tail();
  }
}

/** Variables given to the process tell two servers apart like arguments do; their values are never shown. */
function environmentKey(env: CommandTarget['env']): string {
  const entries = Object.entries(env ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.length === 0 ? '' : ` ${fingerprint(JSON.stringify(entries))}`;
}
