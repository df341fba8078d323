import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { stdioWire } from '../../src/wires/stdio.ts';
import { rejection, request, surroundings } from './far-side.ts';
import { temporary } from './process-far-side.ts';

/** Keeps every byte that it reads, answers calls, and says whatever a server must not. */
const recorder = `
const say = (object) => process.stdout.write(JSON.stringify(object) + '\\n');
let rest = Buffer.alloc(0);
process.stdin.on('data', (chunk) => {
  require('node:fs').appendFileSync(process.argv[1], chunk);
  rest = Buffer.concat([rest, chunk]);
  for (let at = rest.indexOf(10); at >= 0; at = rest.indexOf(10)) {
    const { id, method, params } = JSON.parse(rest.subarray(0, at));
    rest = rest.subarray(at + 1);
    if (id === undefined) continue;
    say({ jsonrpc: '2.0', id: 's' + id, method: 'elicitation/create', params: {} });
    say({ jsonrpc: '2.0', id, method: 'ping' });
    say({ jsonrpc: '2.0', method: 'notifications/unknown' });
    process.stdout.write('no message\\n');
    const { progressToken } = params._meta;
    if (progressToken === undefined) say({ jsonrpc: '2.0', id, result: { resultType: 'complete' } });
    else say({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress: 1 } });
  }
});
`;

const directory = temporary();
afterAll(() => directory.remove());

test('[STDIO-04] [STDIO-05] [BASE-02] [BASE-15] [BASE-18] all that a server reads is requests and cancellations, one to a line, in UTF-8', async () => {
  const path = join(directory.path, 'stdin');
  const wire = await stdioWire({ command: process.execPath, args: ['-e', recorder, path] });
  await wire.exchange(
    request('tools/call', { name: 'é€𝄞', arguments: { text: 'two\nlines\r\u2028' } }),
    surroundings(),
  );
  const io = surroundings();
  const waiting = wire.exchange(request('tools/call', { name: 'w' }, { progressToken: 'p' }), io);
  await io.came(1);
  io.abort();
  await rejection(waiting);
  await wire.exchange(request('tools/list'), surroundings());
  await wire.close();

  const bytes = readFileSync(path);
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  expect(text.endsWith('\n')).toBe(true);
  const messages = text
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(messages.map(({ jsonrpc, method, id, result, error }) => [jsonrpc, method, typeof id, result, error])).toEqual(
    [
      ['2.0', 'tools/call', 'number', undefined, undefined],
      ['2.0', 'tools/call', 'number', undefined, undefined],
      ['2.0', 'notifications/cancelled', 'undefined', undefined, undefined],
      ['2.0', 'tools/list', 'number', undefined, undefined],
    ],
  );
  expect(messages[0].params.name).toBe('é€𝄞');
});
