import type { StandardSchemaV1 } from '@dragoman/protocol';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { call, quietServer, textOf } from '../testing.ts';
import { describeIssues } from './check.ts';
import { StandardCheck } from './standard-check.ts';

/** A Standard Schema that answers just this. */
const answering = (outcome: () => unknown): StandardSchemaV1 => ({
  '~standard': {
    version: 1,
    vendor: 'own',
    validate: outcome as StandardSchemaV1['~standard']['validate'],
    jsonSchema: { input: () => ({ type: 'object' }), output: () => ({ type: 'object' }) },
  },
});

const check = (schema: StandardSchemaV1) => new StandardCheck(schema, {});

describe('a handler is given only what a schema has called valid', () => {
  const issues = [{ message: 'no' }];
  test.each<[string, unknown]>([
    // biome-ignore lint/suspicious/noThenProperty: what other libraries and other realms use for promises
    ['a promise of its own kind', { then: (resolve: (outcome: unknown) => void) => resolve({ issues }) }],
    ['a promise', Promise.resolve({ issues })],
    ['no promise', { issues }],
  ])('%s of issues is waited for', async (_, outcome) => {
    const handler = vi.fn(() => 'done');
    const server = quietServer();
    server.tool('it', { input: answering(() => outcome) }, handler);
    expect(textOf(await call(server, 'it'))).toBe('Invalid arguments for tool it: no');
    expect(handler).not.toHaveBeenCalled();
  });

  test.each([[undefined], [null], [true], ['x'], [{}], [{ issues: 5 }], [{ issues: null }], [Promise.resolve()]])(
    '%j is a fault of the schema, which is told, and not of the arguments',
    async (outcome) => {
      const handler = vi.fn(() => 'done');
      const server = quietServer();
      server.tool('it', { input: answering(() => outcome) }, handler);
      await expect(call(server, 'it')).rejects.toMatchObject({ code: -32603, message: 'Internal error' });
      expect(String(server.errors)).toContain('neither that the value is valid nor what is wrong with it');
      expect(handler).not.toHaveBeenCalled();
    },
  );

  test('a schema that throws nothing in particular is told all the same', async () => {
    const server = quietServer();
    const thrown = (): never => {
      throw undefined;
    };
    server.tool('it', { input: answering(thrown) }, () => 'done');
    await expect(call(server, 'it')).rejects.toMatchObject({ code: -32603 });
    expect(String(server.errors)).toBe('Error: undefined was thrown');
  });
});

describe('zod', () => {
  const async = (refine: (text: string) => Promise<boolean>) => z.object({ v: z.string().refine(refine, 'is not it') });

  test('a refinement that is rejected is an error of the call, and nothing is left unhandled', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const server = quietServer();
    const schema = async(async () => {
      throw new Error('the database is gone');
    });
    server.tool('it', { input: schema }, () => 'done');
    await expect(call(server, 'it', { v: 'x' })).rejects.toMatchObject({ code: -32603, message: 'Internal error' });
    expect(String(server.errors)).toBe('Error: the database is gone');
    // Unhandled rejections are told after the microtasks of the turn.
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  test('an asynchronous refinement is run once for what is valid, and puts into words what is not', async () => {
    const refine = vi.fn(async (text: string) => text === 'good');
    const schema = check(async(refine));
    expect(await schema.check({ v: 'good' })).toEqual({ value: { v: 'good' } });
    expect(refine).toHaveBeenCalledTimes(1);
    const checked = await schema.check({ v: 'bad' });
    expect(checked.issues).toMatchObject([{ path: ['v'], message: 'is not it' }]);
  });

  test('what needs no waiting is answered at once, as the schema makes it', () => {
    const schema = check(z.object({ n: z.coerce.number(), d: z.string().default('x') }));
    expect(schema.check({ n: '4' })).toEqual({ value: { n: 4, d: 'x' } });
    expect(schema.check({ n: 'x' })).toMatchObject({ issues: [{ path: ['n'] }] });
  });

  test('a value that is nested without end does not fit a recursive schema; the server is not to blame', async () => {
    const node = z.object({
      get child() {
        return node.optional();
      },
    });
    let value: object = {};
    for (let depth = 0; depth < 50_000; depth++) value = { child: value };
    const server = quietServer();
    server.tool('it', { input: node }, () => 'done');
    expect(textOf(await call(server, 'it', value))).toContain('nested too deeply to be checked');
    expect(server.errors).toEqual([]);
  });
});

test('issues of any shape can be told', () => {
  const odd = [null, { message: 5 }, { message: 'm', path: [Symbol('s'), null, { key: 0 }] }];
  expect(describeIssues(odd as never)).toBe('is not valid; is not valid; Symbol(s).null[0]: m');
});
