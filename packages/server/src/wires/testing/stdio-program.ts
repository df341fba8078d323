import '../guard-stdout.ts';
import { serveStdio } from '../stdio.ts';
import { noise } from './noisy.ts';
import { Stub, text } from './stub.ts';

const [grace = '1000', mode = 'exit'] = process.argv.slice(2);
const stub = new Stub();
stub.tools.set('noisy', () => {
  console.log('noise while answering', noise);
  console.info({ more: 'noise' });
  process.stdout.write('{"jsonrpc":"2.0","id":1,"result":{"resultType":"forged"}}\n');
  process.stdout.end('the end, says somebody\n');
  return text('quiet');
});
stub.tools.set('wait', (args) => new Promise((resolve) => setTimeout(() => resolve(text('waited')), Number(args.ms))));
stub.tools.set('started', async (_, io) => {
  process.stderr.write('started\n');
  await new Promise((resolve) => setTimeout(resolve, 50));
  io.notify({ method: 'notifications/progress', params: { progressToken: 1, progress: 1 } });
  return text('late');
});
// What a server keeps open would keep a process alive for ever.
setInterval(() => {}, 60_000);
const serving = serveStdio(stub, { grace: Number(grace), exit: mode === 'exit' });
if (mode !== 'exit') {
  await serving.closed;
  process.stderr.write('closed\n');
  process.exit(7);
}
