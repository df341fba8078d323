import { httpStatusOf, MetaKey, MODERN, type Request } from '@dragoman/protocol';
import { describe, expect, test } from 'vitest';
import { quietServer, requestOf } from './testing.ts';

const server = quietServer();
server.tool('plain', {}, () => 'ok');
server.tool('gated', { requires: { sampling: {} } }, () => 'ok');
server.tool(
  'mirrored',
  { input: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } } },
  () => 'ok',
);

type Headers = { readonly [name: string]: string };

/** Headers as a well-behaved client sends them for a request. */
function headersOf(request: Request, more: Headers = {}): (name: string) => string | undefined {
  const headers: Headers = {
    'mcp-protocol-version': String(request.params._meta?.[MetaKey.protocolVersion]),
    'mcp-method': request.method,
    ...(typeof request.params.name === 'string' ? { 'mcp-name': request.params.name } : undefined),
    ...more,
  };
  return (name) => headers[name];
}

/** Code and status of the refusal, or undefined. */
function verdict(request: Request, headers?: (name: string) => string | undefined): [number, number] | undefined {
  const error = server.admit(request, headers);
  return error === undefined ? undefined : [error.code, httpStatusOf(error)];
}

const list = requestOf('tools/list');

describe('what is right passes', () => {
  test('[META-07] without clientInfo, with and without headers', () => {
    expect(verdict(list)).toBeUndefined();
    expect(verdict(list, headersOf(list))).toBeUndefined();
  });

  test('[T032] a tool call with its headers', () => {
    const request = requestOf('tools/call', { name: 'plain' });
    expect(verdict(request, headersOf(request))).toBeUndefined();
  });

  test('[META-21] unknown _meta keys and params', () => {
    expect(verdict(requestOf('tools/list', { more: 1 }, { 'com.example/x': [] }))).toBeUndefined();
  });
});

describe('step 8, version header against body', () => {
  test('[T021] a header that differs is a mismatch even where the version of the body is not supported', () => {
    const request = requestOf('tools/list', {}, { [MetaKey.protocolVersion]: 'v999.0.0' });
    expect(verdict(request, headersOf(request, { 'mcp-protocol-version': MODERN }))).toEqual([-32020, 400]);
  });

  test('[HDR-09] a missing header is a mismatch', () => {
    expect(verdict(list, () => undefined)).toEqual([-32020, 400]);
  });

  test('[T020] before clientCapabilities are looked for', () => {
    const request = requestOf('tools/list', {}, { [MetaKey.clientCapabilities]: undefined });
    expect(verdict(request, headersOf(request, { 'mcp-protocol-version': 'other' }))).toEqual([-32020, 400]);
  });
});

describe('step 9, mandatory _meta', () => {
  test.each([
    ['no params', { method: 'tools/list' } as unknown as Request],
    ['params that are null', { method: 'tools/list', params: null } as unknown as Request],
    ['no _meta', { method: 'tools/list', params: {} }],
    ['a _meta that is null', { method: 'tools/list', params: { _meta: null } } as unknown as Request],
    ['a _meta that is an array', { method: 'tools/list', params: { _meta: [] } } as unknown as Request],
    ['no version', requestOf('tools/list', {}, { [MetaKey.protocolVersion]: undefined })],
    ['a version that is no string', requestOf('tools/list', {}, { [MetaKey.protocolVersion]: 20260728 })],
    ['no capabilities', requestOf('tools/list', {}, { [MetaKey.clientCapabilities]: undefined })],
    ['capabilities that are null', requestOf('tools/list', {}, { [MetaKey.clientCapabilities]: null })],
    ['capabilities that are a list', requestOf('tools/list', {}, { [MetaKey.clientCapabilities]: ['roots'] })],
  ])('[META-06] %s: -32602 at 400', (_, request) => {
    expect(verdict(request)).toEqual([-32602, 400]);
  });

  test('[T020] a modern header without _meta is no mismatch', () => {
    const request = { method: 'tools/list', params: {} };
    expect(verdict(request, headersOf(request, { 'mcp-protocol-version': MODERN }))).toEqual([-32602, 400]);
  });
});

describe('step 10, version', () => {
  test('[VER-02] an unknown version is refused with those that are supported', () => {
    const request = requestOf('server/discover', {}, { [MetaKey.protocolVersion]: 'v999.0.0' });
    const error = server.admit(request, headersOf(request));
    expect(error?.code).toBe(-32022);
    expect(error?.data).toEqual({ supported: [MODERN], requested: 'v999.0.0' });
  });

  test('[DISC-09] an older revision in the modern envelope too', () => {
    expect(verdict(requestOf('server/discover', {}, { [MetaKey.protocolVersion]: '2025-11-25' }))).toEqual([
      -32022, 400,
    ]);
  });

  test('after everything that _meta must have', () => {
    const meta = { [MetaKey.protocolVersion]: 'v999.0.0', [MetaKey.clientCapabilities]: undefined };
    const request = requestOf('tools/list', {}, meta);
    expect(verdict(request)).toEqual([-32602, 400]);
    expect(verdict(request, headersOf(request))).toEqual([-32602, 400]);
  });

  test('before the other headers are looked at', () => {
    const request = requestOf('tools/list', {}, { [MetaKey.protocolVersion]: 'v999.0.0' });
    expect(verdict(request, headersOf(request, { 'mcp-method': 'other' }))).toEqual([-32022, 400]);
  });
});

describe('step 11, Mcp-Method and Mcp-Name', () => {
  test('[HDR-08] a method that differs, also in letter case', () => {
    expect(verdict(list, headersOf(list, { 'mcp-method': 'TOOLS/LIST' }))).toEqual([-32020, 400]);
  });

  test('[HDR-09] a name that differs or is missing', () => {
    const request = requestOf('tools/call', { name: 'plain' });
    expect(verdict(request, headersOf(request, { 'mcp-name': 'gated' }))).toEqual([-32020, 400]);
    expect(verdict(request, (name) => (name === 'mcp-name' ? undefined : headersOf(request)(name)))).toEqual([
      -32020, 400,
    ]);
  });

  test('before the method is looked up', () => {
    const request = requestOf('no/such');
    expect(verdict(request, headersOf(request, { 'mcp-method': 'tools/list' }))).toEqual([-32020, 400]);
  });
});

describe('step 12, method', () => {
  test.each([
    'initialize',
    'ping',
    'logging/setLevel',
    'resources/subscribe',
    'resources/unsubscribe',
    'unknown/method',
  ])('[T018] %s in the modern envelope does not exist', (method) => {
    const request = requestOf(method);
    expect(verdict(request, headersOf(request))).toEqual([-32601, 404]);
  });

  test.each(['elicitation/create', 'sampling/createMessage', 'roots/list'])(
    '[BASE-17] %s is nothing a client asks',
    (method) => {
      expect(verdict(requestOf(method))).toEqual([-32601, 404]);
    },
  );

  test.each(['prompts/list', 'resources/read', 'completion/complete'])(
    '[ERR-12] %s without the capability',
    (method) => {
      expect(verdict(requestOf(method))).toEqual([-32601, 404]);
    },
  );

  test('[VER-07] [EXT-06] [ERR-12] a method of an extension that is not offered, or offered without a handler', () => {
    expect(verdict(requestOf('tasks/get', { taskId: 'x' }))).toEqual([-32601, 404]);
    const offering = quietServer({ extensions: { 'io.modelcontextprotocol/tasks': {} } });
    expect(offering.admit(requestOf('tasks/get', { taskId: 'x' }))?.code).toBe(-32601);
  });

  test('[T018] names of object members are no methods', () => {
    expect(verdict(requestOf('constructor'))).toEqual([-32601, 404]);
    expect(verdict(requestOf('__proto__'))).toEqual([-32601, 404]);
  });

  test('before the shape of its params', () => {
    expect(verdict(requestOf('prompts/get', { name: 7 }))).toEqual([-32601, 404]);
  });
});

describe('step 13, client capability', () => {
  test('[META-08] [META-09] [T026] a tool that requires one names it as an object', () => {
    const request = requestOf('tools/call', { name: 'gated' }, { [MetaKey.clientCapabilities]: {} });
    const error = server.admit(request, headersOf(request));
    expect(error?.code).toBe(-32021);
    expect(error?.data).toEqual({ requiredCapabilities: { sampling: {} } });
    expect(verdict(request)).toEqual([-32021, 400]);
  });

  test('[META-08] a client that declares it is served', () => {
    const request = requestOf('tools/call', { name: 'gated' }, { [MetaKey.clientCapabilities]: { sampling: {} } });
    expect(verdict(request)).toBeUndefined();
  });

  test('before Mcp-Param', () => {
    const both = quietServer();
    both.tool(
      'both',
      {
        requires: { roots: {} },
        input: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
      },
      () => 'ok',
    );
    const request = requestOf(
      'tools/call',
      { name: 'both', arguments: { region: 'eu' } },
      { [MetaKey.clientCapabilities]: {} },
    );
    expect(both.admit(request, headersOf(request))?.code).toBe(-32021);
  });
});

describe('step 14, Mcp-Param', () => {
  const request = requestOf('tools/call', { name: 'mirrored', arguments: { region: 'eu' } });

  test('[HDR-13] an argument without its header', () => {
    expect(verdict(request, headersOf(request))).toEqual([-32020, 400]);
  });

  test('[HDR-08] a header that says something else', () => {
    expect(verdict(request, headersOf(request, { 'mcp-param-region': 'us' }))).toEqual([-32020, 400]);
    expect(verdict(request, headersOf(request, { 'mcp-param-region': 'eu' }))).toBeUndefined();
  });

  test('[XMH-15] without headers there is nothing to mirror', () => {
    expect(verdict(request)).toBeUndefined();
  });

  test('[T090] an unknown tool is the business of the call', () => {
    const unknown = requestOf('tools/call', { name: 'no such', arguments: { region: 'eu' } });
    expect(verdict(unknown, headersOf(unknown))).toBeUndefined();
  });

  test('before the shape of the params', () => {
    const wrong = requestOf('tools/call', { name: 'mirrored', arguments: { region: 'eu' }, requestState: 5 });
    expect(verdict(wrong, headersOf(wrong))).toEqual([-32020, 400]);
  });
});

describe('step 15, params', () => {
  test.each([
    ['tools/call', { name: 7 }],
    ['tools/call', { name: 'plain', arguments: [] }],
    ['tools/call', { name: 'plain', inputResponses: [] }],
    ['tools/call', { name: 'plain', requestState: {} }],
    ['tools/list', { cursor: 0 }],
    ['subscriptions/listen', {}],
  ])('[TOOL-33] %s %j: -32602 at 400', (method, params) => {
    expect(verdict(requestOf(method, params))).toEqual([-32602, 400]);
  });

  test('null for an optional member is absence', () => {
    expect(
      verdict(requestOf('tools/call', { name: 'plain', arguments: null, inputResponses: null, requestState: null })),
    ).toBeUndefined();
    expect(verdict(requestOf('tools/list', { cursor: null }))).toBeUndefined();
  });

  test('[LOG-06] an unknown log level', () => {
    expect(verdict(requestOf('tools/list', {}, { [MetaKey.logLevel]: 'loud' }))).toEqual([-32602, 400]);
    expect(verdict(requestOf('tools/list', {}, { [MetaKey.logLevel]: 'debug' }))).toBeUndefined();
    expect(verdict(requestOf('tools/list', {}, { [MetaKey.logLevel]: null }))).toBeUndefined();
  });

  test('the shape before the log level', () => {
    expect(server.admit(requestOf('tools/call', { name: 7 }, { [MetaKey.logLevel]: 'loud' }))?.message).toContain(
      'params.name',
    );
  });
});

test('[VER-04] [STATE-01] the exchange checks every request by itself', async () => {
  const io = { signal: new AbortController().signal, notify: () => {} };
  await expect(server.exchange(requestOf('tools/list'), io)).resolves.toHaveProperty('tools');
  await expect(server.exchange({ method: 'tools/list', params: {} }, io)).rejects.toHaveProperty('code', -32602);
});
