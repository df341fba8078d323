import type { CallToolResult } from '@dragoman/protocol';
import { expectTypeOf, test } from 'vitest';
import { type CallOptions, Client, type InputRequired, memoryWire } from './index.ts';

// What is expected here is checked by the compiler.
test('[MRTR-20] a call returns questions only where it may be told to return them', async () => {
  const exchange = async () => ({ resultType: 'complete' as const, content: [] });
  const client = new Client(memoryWire({ exchange }));
  const options: CallOptions = {};

  expectTypeOf(await client.callTool('a')).toEqualTypeOf<CallToolResult>();
  expectTypeOf(await client.callTool('a', {}, { timeout: 1000 })).toEqualTypeOf<CallToolResult>();
  expectTypeOf(await client.callTool('a', {}, { onInputRequired: 'handle' })).toEqualTypeOf<CallToolResult>();
  expectTypeOf(await client.callTool('a', {}, { onInputRequired: 'return' })).toEqualTypeOf<
    CallToolResult | InputRequired
  >();
  expectTypeOf(await client.callTool('a', {}, options)).toEqualTypeOf<CallToolResult | InputRequired>();
  await client.close();
});

test('callbacks among the options know what they are given', async () => {
  const exchange = async () => ({ resultType: 'complete' as const, content: [] });
  const client = new Client(memoryWire({ exchange }));
  const plain = client.callTool('a', {}, { onProgress: ({ progress }) => expectTypeOf(progress).toBeNumber() });
  expectTypeOf(await plain).toEqualTypeOf<CallToolResult>();
  const returned = client.callTool(
    'a',
    {},
    { onInputRequired: 'return', onLog: ({ logger }) => expectTypeOf(logger).toEqualTypeOf<string | undefined>() },
  );
  expectTypeOf(await returned).toEqualTypeOf<CallToolResult | InputRequired>();
  await client.close();
});
