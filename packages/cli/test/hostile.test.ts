import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dragoman } from './support/run.ts';
import { error, result, serveRaw } from './support/servers.ts';

const OUR_COLOURS = [1, 2, 22, 31, 32, 33, 34, 35, 36, 39];
const bad = '\u001b]0;owned\u0007\u001b[2J\u009b31m\u202etxt\r';
let server: { url: string; close(): Promise<void> };

beforeAll(async () => {
  const serverInfo = {
    name: `evil${bad}`,
    version: bad,
    title: bad,
    description: bad,
    websiteUrl: `https://x.example/${bad}`,
  };
  const _meta = { 'io.modelcontextprotocol/serverInfo': serverInfo };
  const resources = [{ uri: `file:///${bad}`, name: bad, title: bad, description: bad, mimeType: bad }];
  server = await serveRaw(({ id, method, params }, response) => {
    switch (method) {
      case 'server/discover':
        return result(response, id, {
          supportedVersions: ['2026-07-28'],
          capabilities: { tools: {}, prompts: {}, resources: {}, experimental: { [bad]: {} } },
          instructions: bad,
          _meta,
        });
      case 'tools/list':
        return result(response, id, {
          tools: [
            {
              name: `tool${bad}`,
              title: bad,
              description: bad,
              inputSchema: { type: 'object', properties: { [bad]: { type: 'string', description: bad, enum: [bad] } } },
            },
          ],
          _meta,
        });
      case 'resources/list':
        return result(response, id, { resources, _meta });
      case 'resources/templates/list':
        return result(response, id, {
          resourceTemplates: [{ uriTemplate: `x://{a}${bad}`, name: bad, title: bad }],
          _meta,
        });
      case 'prompts/list':
        return result(response, id, {
          prompts: [{ name: bad, title: bad, description: bad, arguments: [{ name: bad, required: true }] }],
          _meta,
        });
      case 'prompts/get':
        return result(response, id, {
          description: bad,
          messages: [
            { role: bad, content: { type: 'text', text: bad } },
            { role: 'user', content: { type: bad } },
          ],
          _meta,
        });
      case 'resources/read':
        return result(response, id, {
          contents: [{ uri: bad, text: bad, mimeType: bad }, { uri: bad, blob: 'AAAA', mimeType: bad }, { uri: bad }],
          _meta,
        });
      case 'completion/complete':
        return result(response, id, { completion: { values: [bad] }, _meta });
      case 'tools/call':
        if (params.name === 'fails') return error(response, 200, id, { code: -32000, message: bad, data: { bad } });
        return result(response, id, {
          isError: params.name === 'says',
          content: [
            { type: 'text', text: bad },
            { type: 'image', data: 'AAAA', mimeType: bad },
            { type: 'resource_link', uri: bad, name: bad, description: bad },
            { type: bad },
            bad,
          ],
          structuredContent: { [bad]: bad },
          _meta,
        });
      default:
        return error(response, 404, id, { code: -32601, message: bad });
    }
  });
});

afterAll(() => server.close());

describe('[Z08] nothing that a server says acts on the terminal, whichever way it gets there', () => {
  const url = () => server.url;
  test.concurrent.each([
    ['info', () => ['info', url()]],
    ['tools', () => ['tools', url()]],
    ['one tool', () => ['tools', url(), `tool${bad}`]],
    ['resources', () => ['resources', url()]],
    ['templates', () => ['templates', url()]],
    ['prompts', () => ['prompts', url()]],
    ['a prompt', () => ['prompt', url(), 'x']],
    ['a read', () => ['read', url(), 'x://y']],
    ['a completion', () => ['complete', url(), 'prompt:x', 'y']],
    ['a call', () => ['call', url(), 'x', '{}']],
    ['a call that failed', () => ['call', url(), 'says', '{}']],
    ['a protocol error', () => ['call', url(), 'fails', '{}']],
    ['an unknown method', () => ['rpc', url(), 'a/b']],
    ['a raw result', () => ['rpc', url(), 'tools/list']],
    ['a selection', () => ['tools', url(), '--select', 'tools[0].name']],
    ['an unknown tool', () => ['call', url(), 'y', 'a=b']],
    ['every message', () => ['tools', url(), '-vv']],
  ] as const)('%s', async (_, args) => {
    for (const more of [[], ['--json'], ['--color', 'always']]) {
      const { stdout, stderr } = await dragoman([...args(), ...more]);
      // Our own colours are the only escapes.
      const said = OUR_COLOURS.reduce((text, code) => text.replaceAll(`\u001b[${code}m`, ''), stdout + stderr);
      expect(stdout + stderr).not.toBe('');
      expect(said.match(/[^\P{Cc}\n\t]|\p{Bidi_Control}/gu)).toBeNull();
    }
  });
});
