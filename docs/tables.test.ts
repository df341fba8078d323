import { join } from 'node:path';
import { DEFAULT_TIMEOUT, defaultLimits } from '@dragoman/client';
import { defaultSchemaLimits, errorName } from '@dragoman/protocol';
import { httpLimits, streamLimits, subscriptionLimits } from '@dragoman/server';
import { beforeAll, describe, expect, test } from 'vitest';
import { tableBelow } from './support/blocks.ts';
import { compile, root } from './support/compile.ts';
import { read } from './support/pages.ts';
import { Types } from './support/types.ts';

const client = read('docs/client.md');
const server = read('docs/server.md');
const schema = read('docs/json-schema.md');

const number = (text: string): number => Number(text.replaceAll(',', ''));
const limitsOf = (page: string, heading: string): { [name: string]: number } =>
  Object.fromEntries(tableBelow(page, heading).map(([name = '', value = '']) => [name, number(value)]));

describe('limits are as the tables say', () => {
  test('client', () => {
    expect(limitsOf(client, '### Of the client')).toEqual(defaultLimits);
    expect(limitsOf(client, '### Times and sizes').timeout).toBe(DEFAULT_TIMEOUT);
  });

  test('server', () => {
    expect(limitsOf(server, '### HTTP limits')).toEqual(httpLimits);
    expect(limitsOf(server, '### Stream limits')).toEqual(streamLimits);
    expect(limitsOf(server, '### Subscription limits')).toEqual(subscriptionLimits);
  });

  test('[JSCH-04] schemas', () => {
    const { trusted, ...limits } = defaultSchemaLimits;
    expect(limitsOf(schema, '## Limits')).toEqual(limits);
    expect(trusted).toBe(false);
  });
});

test('the names of the protocol’s errors are as the table says', () => {
  const rows = tableBelow(client, '### Codes of the server');
  expect(rows.map(([code = '', name]) => [code, name])).toEqual(
    rows.map(([code = '']) => [code, errorName(Number(code))]),
  );
});

/** Members that are no reader's business: for older revisions, which are not there yet, or between the parts of a package. */
const inner = new Set(['legacy', 'legacyAdapter', 'wireClosed']);

describe('nothing is left out', () => {
  const entries = {
    client: join(root, 'packages/client/src/index.ts'),
    server: join(root, 'packages/server/src/index.ts'),
    protocol: join(root, 'packages/protocol/src/index.ts'),
    schema: join(root, 'packages/protocol/src/json-schema/index.ts'),
  };
  const types = new Map<keyof typeof entries, Types>();
  beforeAll(() => {
    const { program } = compile([], Object.values(entries));
    for (const [name, entry] of Object.entries(entries))
      types.set(name as keyof typeof entries, new Types(program, entry));
  }, 30_000);
  const of = (name: keyof typeof entries): Types => types.get(name) as Types;
  const first = (page: string, heading: string): string[] => tableBelow(page, heading).map(([cell = '']) => cell);

  test('codes and kinds', () => {
    expect(first(client, '### Codes of this side').sort()).toEqual(of('protocol').wordsOf('DragomanErrorCode').sort());
    expect(first(client, '## Warnings').sort()).toEqual(of('client').wordsOf('WarningKind').sort());
    expect(first(server, '## What is reported').sort()).toEqual(of('server').wordsOf('WarningCode').sort());
  });

  test.each([
    ['client', client, ['ConnectOptions', 'CallOptions', 'ListenOptions', 'InputHandlers', 'InputContext', 'Client']],
    [
      'client',
      client,
      ['Subscription', 'ServerInfo', 'Continuation', 'ReplyInfo', 'ClientLimits', 'MemoryCacheLimits'],
    ],
    ['server', server, ['ServerOptions', 'ToolDefinition', 'ToolAnswer', 'Context', 'ClientView', 'Handle', 'Changes']],
    ['server', server, ['ResourceDefinition', 'ResourceTemplateDefinition', 'PromptDefinition', 'CompletionContext']],
    ['server', server, ['HttpServeOptions', 'HttpServing', 'StdioOptions', 'StreamOptions', 'StateOptions', 'Bus']],
    ['server', server, ['CorsOptions', 'AuthRefusal', 'CacheHint', 'HttpLimits', 'StreamLimits', 'Server']],
    ['schema', schema, ['EngineOptions']],
    ['protocol', schema, ['SchemaLimits', 'SchemaEngine']],
  ] as const)('%s: every member is on its page', (name, page, interfaces) => {
    const missing = interfaces.flatMap((type) =>
      of(name)
        .membersOf(type)
        .filter((member) => !inner.has(member) && !new RegExp(`[\`{ .,(]${member}\\b`).test(page))
        .map((member) => `${type}.${member}`),
    );
    expect(missing).toEqual([]);
  });
});
