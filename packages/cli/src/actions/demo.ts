import { DragomanError } from '@dragoman/protocol';
import { demoServer, serveHttp, serveStdio } from '../demo-server.ts';
import { ExitCode } from '../exit-code.ts';
import type { Invocation } from '../invocation.ts';

/** Runs the demo server until it is interrupted. */
export async function run({ options, terminal, signal }: Invocation): Promise<ExitCode> {
  if (options.stdio === true) {
    if (options.http !== undefined)
      throw new DragomanError('INVALID_ARGUMENT', '--http and --stdio exclude each other');
    const serving = serveStdio(demoServer(terminal.env), { exit: false });
    signal.addEventListener('abort', () => void serving.close());
    await serving.closed;
    return ExitCode.Done;
  }
  const serving = await serveHttp(demoServer(terminal.env), { port: options.http ?? 0 });
  terminal.stdout.write(`${serving.url}\n`);
  const name = terminal.env.DRAGOMAN_COMMAND || 'dragoman';
  terminal.stderr.write(`The demo server is running. Try: ${name} info ${serving.url}\nCtrl-C ends it.\n`);
  if (!signal.aborted) await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  await serving.close();
  return ExitCode.Done;
}
