import { expect, test } from 'vitest';
import { settled } from '../../test/support/manual-clock.ts';
import { ClientPool, type Pooled } from './client-pool.ts';
import { OpenSockets } from './open-sockets.ts';

/** A request that never gets an answer. */
const request = (wanted: boolean): Pooled => ({
  path: '/',
  method: 'POST',
  wanted,
  client: undefined,
  kept: false,
  onRequestStart: () => {},
  onResponseError: () => {},
});

test('calls that are given up while others hold all connections do not pile up', async () => {
  const pool = new ClientPool('http://127.0.0.1:1', 1, new OpenSockets(), { connect: () => {} });
  pool.dispatch(request(true));
  const wanted = new WeakRef(request(true));
  pool.dispatch(wanted.deref() as Pooled);
  const given: WeakRef<Pooled>[] = [];
  for (let count = 0; count < 10_000; count++) {
    const each = request(false);
    pool.dispatch(each);
    given.push(new WeakRef(each));
  }
  await settled();
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  setFlagsFromString('--expose-gc');
  (process.getBuiltinModule('node:vm').runInNewContext('gc') as () => void)();
  await settled();
  expect(given.filter((each) => each.deref() !== undefined).length).toBeLessThan(2_500);
  expect(wanted.deref()).toBeDefined();
  await pool.destroy();
});
