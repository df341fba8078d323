import { describe, expect, test } from 'vitest';
import { toBase64Url } from '../base64.ts';
import { Reports } from '../reports.ts';
import { type StateKey, type StateOptions, StateSeal } from './seal.ts';

const key = (id: string): StateKey => ({ id, secret: id.padEnd(32, id) });

function sealWith(options: StateOptions = { keys: [key('a')] }, clock = () => 1000) {
  const warnings: string[] = [];
  const reports = new Reports(
    () => {},
    (warning) => warnings.push(warning.code),
  );
  const random = (bytes: Uint8Array<ArrayBuffer>) => void crypto.getRandomValues(bytes);
  return { seal: new StateSeal(options, { clock, random, reports }), warnings };
}

const state = { a: [['key', 'print', { action: 'accept' }]], u: 'é 漢' };

describe('what was sealed', () => {
  test('[MRTR-34] opens in any process that has the key', async () => {
    const sealed = await sealWith().seal.seal(state, 'binding');
    expect(await sealWith().seal.open(sealed, 'binding')).toEqual({ state });
  });

  test('differs every time', async () => {
    const { seal } = sealWith();
    expect(await seal.seal(state, 'binding')).not.toBe(await seal.seal(state, 'binding'));
  });

  test('names its format and key, and says nothing else', async () => {
    const sealed = await sealWith().seal.seal({ secret: 'visible?' }, 'binding');
    expect(sealed).toMatch(/^1\.a\.[A-Za-z0-9_-]+$/);
    expect(atob(sealed.split('.')[2]?.replaceAll('-', '+').replaceAll('_', '/') ?? '')).not.toContain('visible');
  });
});

describe('[MRTR-09] [MRTR-10] [MRTR-11] what was altered does not open', () => {
  test('[I05] wherever a character changes', async () => {
    const { seal } = sealWith();
    const sealed = await seal.seal(state, 'binding');
    for (let at = 0; at < sealed.length; at++) {
      const other = sealed[at] === 'A' ? 'B' : 'A';
      expect(await seal.open(sealed.slice(0, at) + other + sealed.slice(at + 1), 'binding')).toEqual({
        fault: 'invalid',
      });
    }
  });

  test.each([
    ['nothing', ''],
    ['no state at all', 'hello'],
    ['too few parts', '1.a'],
    ['an empty body', '1.a.'],
    ['a body shorter than an IV', '1.a.AAAA'],
    ['another format', '2.a.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
    ['no Base64', '1.a.****'],
    ['the name of an object member as key', '1.__proto__.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
  ])('%s', async (_, text) => {
    expect(await sealWith().seal.open(text, 'binding')).toEqual({ fault: 'invalid' });
  });

  test.each(['-TAMPERED', '.', '=', 'A', ' '])('with %j behind it', async (more) => {
    const { seal } = sealWith();
    const sealed = await seal.seal(state, 'binding');
    expect(await seal.open(sealed + more, 'binding')).toEqual({ fault: 'invalid' });
  });

  test('under the name of another key', async () => {
    const { seal } = sealWith({ keys: [key('a'), key('b')] });
    const sealed = await seal.seal(state, 'binding');
    expect(await seal.open(sealed.replace('1.a.', '1.b.'), 'binding')).toEqual({ fault: 'invalid' });
  });

  test('with a key that does not hold', async () => {
    const sealed = await sealWith({ keys: [{ id: 'a', secret: 'another secret of enough bytes..' }] }).seal.seal(
      state,
      'x',
    );
    expect(await sealWith().seal.open(sealed, 'x')).toEqual({ fault: 'invalid' });
  });
});

test('[T044] [MRTR-13] [MRTR-15] what was sealed for something else does not open', async () => {
  const { seal } = sealWith();
  expect(await seal.open(await seal.seal(state, '["alice"]'), '["bob"]')).toEqual({ fault: 'invalid' });
});

describe('[MRTR-14] expiry', () => {
  test('a state opens until its time is over', async () => {
    let now = 1000;
    const { seal } = sealWith({ keys: [key('a')], ttlMs: 500 }, () => now);
    const sealed = await seal.seal(state, 'x');
    now = 1499;
    expect(await seal.open(sealed, 'x')).toEqual({ state });
    now = 1500;
    expect(await seal.open(sealed, 'x')).toEqual({ fault: 'expired' });
  });

  test('ten minutes where nothing else is said', () => {
    expect(sealWith().seal.ttlMs).toBe(600_000);
  });
});

describe('the key ring', () => {
  test('the first key seals, and those behind it still open', async () => {
    const { seal } = sealWith({ keys: [key('old')] });
    const before = await seal.seal(state, 'x');
    seal.use([key('new'), key('old')]);
    const after = await seal.seal(state, 'x');
    expect(after).toMatch(/^1\.new\./);
    expect(await seal.open(before, 'x')).toEqual({ state });
    seal.use([key('new')]);
    expect(await seal.open(before, 'x')).toEqual({ fault: 'invalid' });
    expect(await seal.open(after, 'x')).toEqual({ state });
  });

  test('a secret may be bytes', async () => {
    const secret = new Uint8Array(32).fill(7);
    const sealed = await sealWith({ keys: [{ id: 'b', secret }] }).seal.seal(state, 'x');
    expect(await sealWith({ keys: [{ id: 'b', secret: new Uint8Array(32).fill(7) }] }).seal.open(sealed, 'x')).toEqual({
      state,
    });
  });

  test('[T045] without one, a key of this process is made and warned of once', async () => {
    const { seal, warnings } = sealWith({});
    expect(warnings).toEqual([]);
    const sealed = await seal.seal(state, 'x');
    await seal.seal(state, 'x');
    expect(warnings).toEqual(['EPHEMERAL_STATE_KEY']);
    expect(await seal.open(sealed, 'x')).toEqual({ state });
    expect(await sealWith({}).seal.open(sealed, 'x')).toEqual({ fault: 'invalid' });
  });

  test.each([
    ['no key', []],
    ['a short secret', [{ id: 'a', secret: 'short' }]],
    ['an id with a dot', [{ id: 'a.b', secret: 'x'.repeat(32) }]],
    ['an empty id', [{ id: '', secret: 'x'.repeat(32) }]],
    ['one id twice', [key('a'), key('a')]],
  ])('%s is refused', (_, keys) => {
    expect(() => sealWith({ keys })).toThrow(/requestState/);
  });
});

test('[I05] one longer than allowed is not even tried', async () => {
  const { seal } = sealWith({ keys: [key('a')], maxLength: 100 });
  const long = await sealWith().seal.seal('x'.repeat(200), 'x');
  expect(await seal.open(long, 'x')).toEqual({ fault: 'invalid' });
  expect(await sealWith().seal.open(long, 'x')).toEqual({ state: 'x'.repeat(200) });
});

test('one state has one spelling', async () => {
  const { seal } = sealWith();
  const sealed = await seal.seal(state, 'x');
  const last = sealed.at(-1) as string;
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const others = [...alphabet].filter((char) => char !== last).map((char) => sealed.slice(0, -1) + char);
  for (const other of others) expect(await seal.open(other, 'x')).toEqual({ fault: 'invalid' });
  expect(toBase64Url(new Uint8Array([255, 254]))).toBe('__4');
});
