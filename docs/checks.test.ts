import { type HttpEndpointOptions, Server, toFetchHandler } from '@dragoman/server';
import { afterAll, expect, test } from 'vitest';
import { tableBelow } from './support/blocks.ts';
import { read } from './support/pages.ts';

/** The steps as the page has them: number, check, status, code. */
const rows = tableBelow(read('docs/server.md'), '## What is checked');

const server = new Server({ name: 'checked', version: '1.0.0', onError: () => {}, onWarning: () => {} });
server.tool(
  'move',
  {
    input: {
      type: 'object',
      properties: { to: { type: 'string', 'x-mcp-header': 'To', minLength: 3 } },
      required: ['to'],
    },
    requires: { elicitation: { form: {} } },
  },
  ({ to }) => `moved to ${to}`,
);

let onHold = (): void => {};
let held = (): void => {};
/** Keeps a request busy until it is let go. */
server.tool('hold', {}, () => {
  onHold();
  return new Promise<string>((resolve) => {
    held = () => resolve('let go');
  });
});

const options: HttpEndpointOptions = {
  allowedHosts: ['mcp.example.com'],
  path: '/mcp',
  authenticate: (head) =>
    head.header('authorization') === 'Bearer good' ? { principal: 'ada' } : { status: 401, wwwAuthenticate: 'Bearer' },
  limits: { maxConcurrentRequests: 1, maxBodyBytes: 10_000 },
};
const handler = toFetchHandler(server, options);
afterAll(() => handler.close(0));

interface Sent {
  url: string;
  method: string;
  headers: { [name: string]: string };
  body: string;
}

const meta = (more: object = {}) => ({
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
  ...more,
});
const message = (params: object, method = 'tools/call') => JSON.stringify({ jsonrpc: '2.0', id: 7, method, params });

/** A request that passes every step. */
const right = (): Sent => ({
  url: 'https://mcp.example.com/mcp',
  method: 'POST',
  headers: {
    authorization: 'Bearer good',
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'move',
    'mcp-param-to': 'Rome',
  },
  body: message({ name: 'move', arguments: { to: 'Rome' }, _meta: meta() }),
});

type Params = { [member: string]: unknown; _meta: { [key: string]: unknown } };

/** Changes the parameters of the message. */
function edit(sent: Sent, change: (params: Params) => void): void {
  const body = JSON.parse(sent.body) as { params: Params };
  change(body.params);
  sent.body = JSON.stringify(body);
}

/** What breaks each step, by its number; 4 and 5 are states of the server. Each leaves standing what others broke. */
const breaks: { readonly [step: number]: (sent: Sent) => void } = {
  1: (sent) => {
    sent.headers.origin = 'https://elsewhere.example';
  },
  2: (sent) => {
    sent.url = 'https://mcp.example.com/other';
  },
  3: (sent) => {
    sent.method = 'DELETE';
  },
  6: (sent) => {
    sent.headers.authorization = 'Bearer bad';
  },
  7: (sent) => {
    sent.headers['content-type'] = 'text/plain';
  },
  8: (sent) => {
    sent.headers.accept = 'text/html';
  },
  9: (sent) => {
    sent.body += ' '.repeat(10_001);
  },
  10: (sent) => {
    sent.body = sent.body.slice(0, -1);
  },
  11: (sent) => {
    sent.body = `[${sent.body}]`;
  },
  12: (sent) => {
    delete sent.headers['mcp-protocol-version'];
    delete sent.headers['mcp-method'];
    sent.body = message({ protocolVersion: '2025-06-18', capabilities: {} }, 'initialize');
  },
  13: (sent) => {
    sent.headers['mcp-protocol-version'] = '2026-07-29';
  },
  14: (sent) => edit(sent, ({ _meta }) => delete _meta['io.modelcontextprotocol/clientCapabilities']),
  15: (sent) => {
    sent.headers['mcp-protocol-version'] = '2099-01-01';
    edit(sent, ({ _meta }) => {
      _meta['io.modelcontextprotocol/protocolVersion'] = '2099-01-01';
    });
  },
  16: (sent) => {
    sent.headers['mcp-method'] = 'other';
  },
  17: (sent) => {
    sent.headers['mcp-method'] = 'prompts/list';
    sent.body = sent.body.replace('"tools/call"', '"prompts/list"');
  },
  18: (sent) =>
    edit(sent, ({ _meta }) => {
      _meta['io.modelcontextprotocol/clientCapabilities'] = {};
    }),
  19: (sent) => {
    sent.headers['mcp-param-to'] = 'Oslo';
  },
  20: (sent) =>
    edit(sent, ({ _meta }) => {
      _meta['io.modelcontextprotocol/logLevel'] = 'loud';
    }),
  21: (sent) =>
    edit(sent, (params) => {
      params.requestState = 'forged';
    }),
  22: (sent) => {
    sent.headers['mcp-param-to'] = 'X';
    edit(sent, (params) => {
      params.arguments = { to: 'X' };
    });
  },
};

async function send(sent: Sent, to = handler): Promise<readonly [status: string, code: string]> {
  const { url, method, headers, body } = sent;
  const response = await to(new Request(url, { method, headers, body: method === 'POST' ? body : null }));
  const text = await response.text();
  const code = text.startsWith('{') ? (JSON.parse(text) as { error?: { code: number } }).error?.code : undefined;
  return [String(response.status), code === undefined ? '–' : String(code)];
}

test('steps are numbered in their order', () => {
  expect(rows.map(([step]) => step)).toEqual(rows.map((_, at) => String(at + 1)));
});

test('a request that breaks no step is answered', async () => {
  expect(await send(right())).toEqual(['200', '–']);
});

/** A request that breaks several steps. */
function wrong(...steps: readonly number[]): Sent {
  const sent = right();
  for (const step of steps) breaks[step]?.(sent);
  return sent;
}

const answerOf = (step: number): readonly string[] => rows[step - 1]?.slice(2) ?? [];
const steps = rows.map((_, at) => at + 1).filter((step) => breaks[step] !== undefined);

test.each(steps)('step %s answers as it says', async (step) => {
  expect(await send(wrong(step))).toEqual(answerOf(step));
});

test.each(steps.slice(1).map((step, at) => [steps[at] as number, step]))(
  'step %s comes before %s',
  async (first, second) => {
    expect(await send(wrong(second, first))).toEqual(answerOf(first));
  },
);

test('steps 4 and 5, and what comes before and after them', async () => {
  const { _meta } = (JSON.parse(right().body) as { params: Params }).params;
  const busy = right();
  busy.headers['mcp-name'] = 'hold';
  busy.body = message({ name: 'hold', _meta });
  const begun = new Promise<void>((resolve) => {
    onHold = resolve;
  });
  const answer = send(busy);
  await begun;
  expect(await send(wrong(6))).toEqual(answerOf(5));
  expect(await send(wrong(3))).toEqual(answerOf(3));
  held();
  expect(await answer).toEqual(['200', '–']);

  const closed = toFetchHandler(server, options);
  await closed.close();
  expect(await send(wrong(6), closed)).toEqual(answerOf(4));
  expect(await send(wrong(3), closed)).toEqual(answerOf(3));
});

test('what stands below the table', async () => {
  const notification = right();
  notification.body = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/whatever' });
  expect(await send(notification)).toEqual(['202', '–']);

  const bare = right();
  for (const name of Object.keys(bare.headers)) if (name.startsWith('mcp-')) delete bare.headers[name];
  bare.body = message({ name: 'move' });
  expect(await send(bare)).toEqual(['400', '-32020']);

  const listening = right();
  listening.headers['mcp-method'] = 'subscriptions/listen';
  listening.headers.accept = 'application/json';
  listening.body = message({ notifications: 'all', _meta: meta() }, 'subscriptions/listen');
  expect(await send(listening)).toEqual(answerOf(20));
  listening.body = message({ notifications: {}, _meta: meta() }, 'subscriptions/listen');
  expect(await send(listening)).toEqual(['406', '-32600']);
});
