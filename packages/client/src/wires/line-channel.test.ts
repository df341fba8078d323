import { beforeEach, expect, test } from 'vitest';
import { settled } from '../../test/support/manual-clock.ts';
import type { Outgoing } from './correlator.ts';
import { LineChannel } from './line-channel.ts';
import type { BytePipe } from './pipe.ts';

let written: string[];
let blocking: boolean;
let channel: LineChannel;

beforeEach(() => {
  written = [];
  blocking = false;
  const pipe: BytePipe = {
    open: () => {},
    write: (text) => {
      written.push(text);
      return !blocking;
    },
    end: () => {},
    destroy: () => {},
  };
  channel = new LineChannel(pipe, { maxMessageBytes: 1, onLine: () => {}, onProblem: () => {}, onEnd: () => {} });
});

const lines = (): string[] => written.join('').split('\n').slice(0, -1);

test('lines of one tick go out in one write', async () => {
  for (const line of ['a', 'b', 'c']) channel.send({ line });
  await settled();
  expect(written).toEqual(['a\nb\nc\n']);
});

test('more than a string can hold goes out in several', async () => {
  const line = 'x'.repeat(30_000_000);
  for (let count = 0; count < 20; count++) channel.send({ line });
  await settled();
  expect(written).toHaveLength(20);
});

test('what is over where the other side stops reading waits, in order', async () => {
  const sent = Array.from({ length: 10 }, (_, at) => `${at}`.repeat(600_000));
  blocking = true;
  for (const line of sent) channel.send({ line });
  await settled();
  expect(lines()).toEqual(sent.slice(0, 2));
  channel.send({ line: 'last' });
  channel.drained();
  expect(lines()).toEqual(sent.slice(0, 4));
  blocking = false;
  channel.drained();
  expect(lines()).toEqual([...sent, 'last']);
});

test('what is given up while the other side does not read does not pile up', async () => {
  blocking = true;
  channel.send({ line: 'first' });
  await settled();
  const kept: Outgoing = { line: 'kept' };
  channel.send(kept);
  const given: WeakRef<Outgoing>[] = [];
  for (let count = 0; count < 10_000; count++) {
    const item: Outgoing = { line: 'x' };
    channel.send(item);
    item.line = undefined;
    given.push(new WeakRef(item));
  }
  await settled();
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  setFlagsFromString('--expose-gc');
  (process.getBuiltinModule('node:vm').runInNewContext('gc') as () => void)();
  await settled();
  expect(given.filter((item) => item.deref() !== undefined).length).toBeLessThan(2_000);
  channel.drained();
  expect(lines()).toEqual(['first', 'kept']);
});
