import { closeSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { serveStream } from '@dragoman/server';
import { type Act, cutAt, type Fault, flip, seeded, shred, split } from './faults.ts';
import { tokenServer } from './token-server.ts';

/** A real server over stdio whose stdout is spoilt as its arguments say: `cut BYTES HOW`, `split`, `shred`, `flip BYTE`. */
const [kind, number = '0', how = 'fin'] = process.argv.slice(2);

function chosen(): Fault {
  switch (kind) {
    case 'cut':
      return cutAt(Number(number), how as Act);
    case 'split':
      return split(1);
    case 'shred':
      return shred(seeded(1));
    case 'flip':
      return flip(Number(number), 6);
    default:
      throw new Error(`no such fault: ${kind}`);
  }
}

const answers = new PassThrough();
const serving = serveStream(tokenServer().server, { readable: process.stdin, writable: answers });
void serving.closed.then(() => process.exit(0));
for await (const item of chosen()(answers.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>)) {
  if (typeof item !== 'string') await new Promise((resolve) => process.stdout.write(item, resolve));
  else if (item === 'fin') process.exit(3);
  else if (item === 'rst') process.kill(process.pid, 'SIGKILL');
  else if (item === 'half') closeSync(1);
}
