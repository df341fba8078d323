import { describe, expect, test } from 'vitest';
import { table } from '../output/table.ts';
import { styleOf } from '../terminal/style.ts';
import { renderCallResult } from './call-result.ts';
import { type ContentView, renderBlock, renderContents } from './content.ts';
import { behaviour, toolRows } from './lists.ts';
import { renderPromptResult } from './prompt-result.ts';
import { schemaRows } from './schema-table.ts';
import { renderTool } from './tool.ts';

const style = styleOf(false);

function view(saved = new Map<unknown, string>()): ContentView & { warnings: string[] } {
  const warnings: string[] = [];
  return { style, saved, warn: (message) => warnings.push(message), warnings };
}

describe('content', () => {
  test.each([
    [{ type: 'text', text: 'two\nlines' }, 'two\nlines'],
    [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }, '[image, image/png, 3 B; --save DIR writes it to a file]'],
    [{ type: 'audio', data: 'AA==', mimeType: 'audio/wav' }, '[audio, audio/wav, 1 B; --save DIR writes it to a file]'],
    [
      { type: 'resource', resource: { uri: 'x://y', text: 'inside', mimeType: 'text/plain' } },
      'x://y (text/plain)\ninside',
    ],
    [
      { type: 'resource', resource: { uri: 'x://y', blob: 'AAAA' } },
      'x://y\n[binary, type not declared, 3 B; --save DIR writes it to a file]',
    ],
    [
      { type: 'resource_link', uri: 'x://y', name: 'why', title: 'Why', size: 2048, description: 'because' },
      'link x://y Why, 2.0 kB\n  because',
    ],
    [{ type: 'resource_link', uri: 'x://letters/a.md', name: 'letters/a.md' }, 'link x://letters/a.md'],
  ])('[R05] [R06] %j', (block, expected) => {
    const seen = view();
    expect(renderBlock(block, seen)).toBe(expected);
    expect(seen.warnings).toEqual([]);
  });

  test.each([
    [{ type: 'blob', x: 1 }, 'unknown type "blob"'],
    [{ type: 'text' }, 'lacks what it should hold'],
    [{ type: 'image', data: 7 }, 'lacks what it should hold'],
    [null, 'not an object with a type'],
    ['text', 'not an object with a type'],
  ])('[R05] %j is shown as it came, with a warning', (block, warning) => {
    const seen = view();
    expect(JSON.parse(renderBlock(block, seen))).toEqual(block);
    expect(seen.warnings).toEqual([expect.stringContaining(warning)]);
  });

  test('what was saved is named', () => {
    const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
    expect(renderBlock(image, view(new Map([[image, 'out/image-1.png']])))).toBe(
      '[image, image/png, 3 B; saved as out/image-1.png]',
    );
  });

  test('contents of a resource without contents', () => {
    const seen = view();
    expect(renderContents({ uri: 'x://y' }, seen, false)).toContain('"uri": "x://y"');
    expect(seen.warnings).toEqual(['x://y holds neither text nor a blob; it is shown as it came']);
  });
});

describe("[P50] [R10] a tool's result", () => {
  const structured = { city: 'Rome', n: [1, 2] };
  const json = JSON.stringify(structured, null, 2);
  test.each([
    ['content alone', { content: [{ type: 'text', text: 'hi' }] }, 'hi'],
    ['no content at all', { structuredContent: structured }, json],
    ['empty content', { content: [], structuredContent: structured }, json],
    [
      'content that says the same, in another order',
      { content: [{ type: 'text', text: '{"n":[1,2],"city":"Rome"}' }], structuredContent: structured },
      json,
    ],
    [
      'content that says something else',
      { content: [{ type: 'text', text: 'hi' }], structuredContent: structured },
      `hi\n\nStructured\n${json}`,
    ],
    ['structured output that is no object', { content: [], structuredContent: 7 }, '7'],
    ['null', { content: [], structuredContent: null }, 'null'],
    ['nothing', {}, ''],
  ])('%s', (_, result, expected) => {
    expect(renderCallResult(result, view())).toBe(expected);
  });
});

test('[P61] [P62] a prompt shows text as text and other blocks as what they are', () => {
  const result = {
    description: 'About',
    messages: [
      { role: 'user', content: { type: 'text', text: 'Hi' } },
      { role: 'assistant', content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] },
    ],
  };
  expect(renderPromptResult(result, view())).toBe(
    'About\n\nuser:\nHi\n\nassistant:\n[image, image/png, 3 B; --save DIR writes it to a file]',
  );
});

describe('tools', () => {
  test('[P64] the name to call it by comes first', () => {
    const [line] = table(
      toolRows(
        [
          {
            name: 'get',
            title: 'Getter',
            description: 'Gets.\nMore.',
            annotations: { readOnlyHint: true, openWorldHint: true },
          },
        ],
        style,
      ),
      80,
    );
    expect(line).toBe('get  Getter  read-only, open-world  Gets.');
  });

  test.each([
    [{ readOnlyHint: true, destructiveHint: true }, ['read-only']],
    [{ destructiveHint: true, idempotentHint: true }, ['destructive', 'idempotent']],
    [{}, []],
    [undefined, []],
    [{ destructiveHint: 'yes' }, []],
  ])('%j says %j', (annotations, words) => {
    expect(behaviour({ name: 'x', annotations })).toEqual(words);
  });

  test('[P65] the description of one has arguments, result and both schemas', () => {
    const text = renderTool(
      {
        name: 'x',
        description: 'Does x',
        inputSchema: { type: 'object', properties: { a: { type: 'string' } } },
        outputSchema: { type: 'object', properties: { b: { type: 'number' } } },
        annotations: { destructiveHint: true },
      },
      style,
      80,
    );
    expect(text).toMatch(
      /^x {2}\(destructive\)\nDoes x\n\nArguments\n {2}a {2}string\n\nResult\n {2}b {2}number\n\ninputSchema\n\{/,
    );
    expect(text).toContain('outputSchema\n{');
  });
});

describe('a schema as a table', () => {
  const lines = (schema: object): string[] => table(schemaRows(schema as never, style), 200);

  test('has a row for every member, nested ones as they are written in arguments', () => {
    expect(
      lines({
        type: 'object',
        required: ['city', 'items'],
        properties: {
          city: { type: 'string', minLength: 1, description: 'Where\nto' },
          days: { type: 'integer', minimum: 1, maximum: 12, default: 2 },
          unit: { enum: ['c', 'f'] },
          items: {
            type: 'array',
            items: { type: 'object', properties: { id: { type: ['string', 'null'] } }, required: ['id'] },
          },
          address: { $ref: '#/$defs/address' },
          free: {},
        },
        $defs: {
          address: {
            type: 'object',
            description: 'A place',
            properties: { zip: { type: 'string', pattern: '^\\d+$' } },
          },
        },
      }),
    ).toEqual([
      'city         string, not empty  required   Where to',
      'days         integer 1..12      default 2',
      'unit         "c" | "f"',
      'items        object[]           required',
      'items[].id   string | null      required',
      'address      object                        A place',
      'address.zip  string /^\\d+$/',
      'free         any',
    ]);
  });

  test.each([
    [{ type: 'string', minLength: 2 }, 'x  string, at least 2 characters'],
    [{ type: 'string', minLength: 2, maxLength: 5, format: 'uri' }, 'x  string 2..5 characters uri'],
    [{ type: 'integer', minimum: 1 }, 'x  integer, at least 1'],
    [{ type: 'number', maximum: 0.5 }, 'x  number, at most 0.5'],
    [{ type: 'array', minItems: 1 }, 'x  array, not empty'],
  ])('says what is allowed: %j', (schema, expected) => {
    expect(lines({ type: 'object', properties: { x: schema } })).toEqual([expected]);
  });

  test('[D01] one that contains itself ends', () => {
    const node = {
      type: 'object',
      properties: { value: { type: 'integer' }, children: { type: 'array', items: { $ref: '#/$defs/node' } } },
    };
    const rows = lines({ type: 'object', properties: { root: { $ref: '#/$defs/node' } }, $defs: { node } });
    expect(rows.length).toBeLessThan(20);
    expect(rows[1]).toMatch(/^root\.value/);
    expect(lines({ $ref: '#' })).toEqual([]);
    expect(lines({ type: 'object', properties: { a: { $ref: '#' } } }).length).toBeLessThan(20);
  });
});
