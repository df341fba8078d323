import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { Terminal } from '../terminal/terminal.ts';
import { strangers } from './check.ts';
import { collect, readWords } from './collect.ts';
import { sourcesOf } from './read-source.ts';

const dir = mkdtempSync(join(tmpdir(), 'dragoman-args-'));
writeFileSync(join(dir, 'notes.txt'), 'line one\nline two\n');
writeFileSync(join(dir, 'seven.txt'), '7\n');
writeFileSync(join(dir, 'data.json'), '{"deep": [1, 2]}');
writeFileSync(join(dir, 'latin.txt'), Buffer.from([0xe9]));

async function parse(words: string[], schema?: object, options: { args?: string; stdin?: string } = {}) {
  const terminal = { stdin: Readable.from(options.stdin === undefined ? [] : [Buffer.from(options.stdin)]), cwd: dir };
  const sources = sourcesOf(terminal as unknown as Terminal);
  const notes: string[] = [];
  const read = await readWords(words, options.args, sources);
  const value = await collect(read, schema as never, sources, (line) => notes.push(line));
  return { value, notes, needSchema: read.needSchema };
}

test('every value that cannot be read is named, and text where it is to be sent all the same', async () => {
  const schema = object({ a: { type: 'integer' }, b: { type: 'boolean' }, c: { type: 'string' } });
  await expect(parse(['a=x', 'c=y', 'b=yes'], schema)).rejects.toThrow(
    'these arguments cannot be read:\na: "x" is not an integer\nb: "yes" is not a boolean; write true or false',
  );
  const terminal = { stdin: Readable.from([]), cwd: dir };
  const sources = sourcesOf(terminal as unknown as Terminal);
  const notes: string[] = [];
  const words = await readWords(['a=x', 'b=true'], undefined, sources);
  expect(await collect(words, schema, sources, (line) => notes.push(line), { lenient: true })).toEqual({
    a: 'x',
    b: true,
  });
  expect(notes).toEqual(['argument a: "x" is not an integer; it is sent as text']);
});

test('a file that is given without @ is pointed out', async () => {
  await expect(parse([], object({}), { args: 'data.json' })).rejects.toThrow(
    /is not JSON .*; a file is written @data\.json$/,
  );
  await expect(parse([], object({}), { args: '{' })).rejects.toThrow(/\)$/);
});

test('names that the tool does not know are named, with what was meant', () => {
  const schema = object({ city: {}, unit: {} });
  expect(strangers({ ciy: 1, unit: 2, zzz: 3 }, schema)).toEqual([
    'ciy: the tool has no such argument; did you mean city?',
    'zzz: the tool has no such argument',
  ]);
});

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

describe('[P55] [F03] values are converted by the declared type only', () => {
  test.each([
    [{ type: 'string' }, '123', '123'],
    [{ type: 'string' }, 'true', 'true'],
    [{ type: 'string' }, '{"a":1}', '{"a":1}'],
    [{ type: 'string' }, '1.10', '1.10'],
    [{ type: 'string' }, '', ''],
    [{ type: 'integer' }, '012', undefined],
    [{ type: 'integer' }, '12', 12],
    [{ type: 'integer' }, '1.0', 1],
    [{ type: 'integer' }, '1.5', undefined],
    [{ type: 'integer' }, '"1"', undefined],
    [{ type: 'integer' }, '9007199254740993', undefined],
    [{ type: 'number' }, '1.10', 1.1],
    [{ type: 'number' }, '1e3', 1000],
    [{ type: 'number' }, '1e999', undefined],
    [{ type: 'number' }, 'abc', undefined],
    [{ type: 'number' }, '', undefined],
    [{ type: 'boolean' }, 'true', true],
    [{ type: 'boolean' }, 'yes', undefined],
    [{ type: 'array' }, '[1,"a"]', [1, 'a']],
    [{ type: 'array' }, 'a,b', undefined],
    [{ type: 'object' }, '{"q":"x","page":1}', { q: 'x', page: 1 }],
    [{ type: 'null' }, 'null', null],
    [{ enum: [1, '2', true] }, '1', 1],
    [{ enum: [1, '2', true] }, '2', '2'],
    [{ enum: [1, '2', true] }, 'true', true],
    [{ const: 5 }, '5', 5],
    [{ type: 'string', enum: ['1', '2'] }, '1', '1'],
  ])('%j takes %j as %j', async (schema, text, expected) => {
    const work = parse([`x=${text}`], object({ x: schema }));
    if (expected === undefined)
      await expect(work).rejects.toThrow(/^argument x: .* is not an? |has more digits|is larger than/);
    else expect((await work).value).toEqual({ x: expected });
  });

  test.each([
    [{ type: ['integer', 'string'] }, '5', 5],
    [{ type: ['integer', 'string'] }, 'five', 'five'],
    [{ type: ['string', 'integer'] }, '5', '5'],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, '5', '5'],
    [{ anyOf: [{ type: 'number' }, { type: 'string' }] }, '5', 5],
    [{ type: ['boolean', 'integer'] }, 'true', true],
    [{ type: ['number', 'boolean'] }, 'true', true],
    [{ oneOf: [{ type: 'array' }, { type: 'object' }] }, '{}', {}],
    [{ anyOf: [{ type: 'string' }, { type: 'array' }] }, '["a"]', ['a']],
  ])('a union %j takes %j as %j', async (schema, text, expected) => {
    expect((await parse([`x=${text}`], object({ x: schema }))).value).toEqual({ x: expected });
  });
});

describe('[F01] null', () => {
  test.each([
    [{ anyOf: [{ type: 'string' }, { type: 'null' }], default: null }, 'null', 'null'],
    [{ type: ['string', 'null'] }, 'null', 'null'],
    [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, 'null', null],
    [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, '4', 4],
  ])('%j takes %j as %j', async (schema, text, expected) => {
    expect((await parse([`x=${text}`], object({ x: schema }))).value).toEqual({ x: expected });
  });

  test('key:=null says it for certain', async () => {
    expect((await parse(['x:=null'], object({ x: { type: ['string', 'null'] } }))).value).toEqual({ x: null });
  });
});

describe('[P56] [D01] references within the document', () => {
  const city = { type: 'integer' };
  test.each([
    ['$ref by pointer', { $defs: { c: city }, ...object({ x: { $ref: '#/$defs/c' } }) }],
    ['an escaped pointer', { $defs: { 'a/b ~': city }, ...object({ x: { $ref: '#/$defs/a~1b%20~0' } }) }],
    ['$anchor', { $defs: { c: { $anchor: 'city', ...city } }, ...object({ x: { $ref: '#city' } }) }],
    ['embedded $id', { $defs: { c: { $id: 'city.json', ...city } }, ...object({ x: { $ref: 'city.json' } }) }],
    [
      'a pointer within an embedded $id',
      {
        $defs: { c: { $id: 'https://x.example/c', $defs: { d: city }, $ref: '#/$defs/d' } },
        ...object({ x: { $ref: 'https://x.example/c' } }),
      },
    ],
    ['$dynamicRef', { $defs: { c: { $dynamicAnchor: 'T', ...city } }, ...object({ x: { $dynamicRef: '#T' } }) }],
    ['allOf', object({ x: { allOf: [{ description: 'a city' }, city] } })],
    ['a property behind allOf', { type: 'object', allOf: [object({ x: city })] }],
    ['a property behind a branch', { type: 'object', oneOf: [object({ y: {} }), object({ x: city })] }],
    [
      'a property behind then',
      JSON.parse('{"type": "object", "if": {}, "then": {"properties": {"x": {"type": "integer"}}}}'),
    ],
    ['the root itself behind $ref', { type: 'object', $ref: '#/$defs/r', $defs: { r: object({ x: city }) } }],
    ['additionalProperties', { type: 'object', additionalProperties: city }],
    ['patternProperties', { type: 'object', patternProperties: { '^x$': city } }],
    ['number narrowed to integer', object({ x: { type: 'number', allOf: [city] } })],
  ])('%s', async (_, schema) => {
    expect((await parse(['x=12'], schema)).value).toEqual({ x: 12 });
    await expect(parse(['x=abc'], schema)).rejects.toThrow('argument x: "abc" is not an integer');
  });

  test.each([
    ['a circle', { $ref: '#' }],
    ['a circle of two', { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }],
    ['a recursive member', object({ child: { $ref: '#' } })],
  ])('%s ends', async (_, schema) => {
    expect((await parse(['x=text'], schema)).value).toEqual({ x: 'text' });
  });

  test('a tree of itself is walked as deep as the key goes', async () => {
    const schema = {
      ...object({ node: { $ref: '#/$defs/node' } }),
      $defs: { node: object({ n: { type: 'integer' }, child: { $ref: '#/$defs/node' } }) },
    };
    expect((await parse(['node.child.child.n=3'], schema)).value).toEqual({ node: { child: { child: { n: 3 } } } });
  });

  test('branches upon branches stay within bounds', async () => {
    let schema: object = { type: 'integer' };
    for (let i = 0; i < 40; i += 1) schema = { anyOf: [schema, schema] };
    expect(await parse(['x=1'], object({ x: schema }))).toBeDefined();
  });
});

describe('[P58] a type that nobody declared', () => {
  test('JSON where it is JSON, else text, with a note', async () => {
    const { value, notes } = await parse(['a=1', 'b=hello', 'c=[1]'], object({ a: {} }));
    expect(value).toEqual({ a: 1, b: 'hello', c: [1] });
    expect(notes).toEqual([
      'argument a: its type is not declared: "1" is sent as an integer; a:=JSON says it for certain',
      'argument c: its type is not declared: "[1]" is sent as an array; c:=JSON says it for certain',
    ]);
  });

  test('a default decides', async () => {
    const { value, notes } = await parse(['a=1', 'b=2.5'], object({ a: { default: 'x' }, b: { default: 1 } }));
    expect(value).toEqual({ a: '1', b: 2.5 });
    expect(notes).toEqual([]);
  });
});

describe('nested values', () => {
  test.each([
    [['a.b=1', 'a.c=2'], { a: { b: 1, c: 2 } }],
    [['items[0].id=1', 'items[1].id=2'], { items: [{ id: 1 }, { id: 2 }] }],
    [['items[1].id=2', 'items[0].id=1'], { items: [{ id: 1 }, { id: 2 }] }],
    [['tags[]=x', 'tags[]=y'], { tags: ['x', 'y'] }],
    [['a[2]=1'], { a: [null, null, 1] }],
    [['m[][]=1', 'm[][]=2'], { m: [[1], [2]] }],
    [['a.b:={"c":1}'], { a: { b: { c: 1 } } }],
  ])('%j', async (words, expected) => {
    expect((await parse(words)).value).toEqual(expected);
  });

  test('elements are converted by the schema of the items', async () => {
    const schema = object({
      tags: { type: 'array', items: { type: 'string' } },
      n: { type: 'array', prefixItems: [{ type: 'integer' }, { type: 'string' }] },
    });
    expect((await parse(['tags[]=1', 'tags[]=2', 'n[0]=1', 'n[1]=2'], schema)).value).toEqual({
      tags: ['1', '2'],
      n: [1, '2'],
    });
  });

  test('a name with a dot that the schema knows is one name', async () => {
    expect((await parse(['a.b=1'], object({ 'a.b': { type: 'string' } }))).value).toEqual({ 'a.b': '1' });
  });

  test('__proto__ is a name like any other', async () => {
    const { value } = await parse(['__proto__.polluted=1', 'constructor=x']);
    expect(JSON.stringify(value)).toBe('{"__proto__":{"polluted":1},"constructor":"x"}');
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test.each([
    [['a=1', 'a=2'], 'argument a: it is given twice'],
    [['a.b=1', 'a.b=2'], 'argument a.b: it is given twice'],
    [['a=1', 'a.b=2'], 'argument a.b: a is a value already'],
    [['a.b=1', 'a=2'], 'argument a: it is given twice'],
    [['a.b=1', 'a[0]=2'], 'argument a[0]: a is an object already'],
    [['a[0]=1', 'a.b=2'], 'argument a.b: a is an array already'],
    [['a[0]=1', 'a[0]=2'], 'argument a[0]: it is given twice'],
    [['a[1001]=1'], 'argument a[1001]: the index 1001 is more than 1000 past the end'],
    [['{"a":1}', 'a=2'], 'argument a: it is given twice'],
  ])('%j: %s', async (words, message) => {
    await expect(parse(words)).rejects.toThrow(message);
  });

  test('an index may be 1,000 past the end', async () => {
    expect(((await parse(['a[1000]=1'])).value as { a: unknown[] }).a).toHaveLength(1001);
  });
});

describe('whole objects and files', () => {
  test.each([
    [['{"a": {"b": 1}}'], undefined, { a: { b: 1 } }],
    [[], '{}', {}],
    [[], '@data.json', { deep: [1, 2] }],
    [['{"a": 1}', 'b:=2'], undefined, { a: 1, b: 2 }],
  ])('%j --args %j', async (words, args, expected) => {
    const { value, needSchema } = await parse(words, undefined, args === undefined ? {} : { args });
    expect(value).toEqual(expected);
    expect(needSchema).toBe(false);
  });

  test('standard input', async () => {
    expect((await parse([], undefined, { args: '-', stdin: '{"a": 1}' })).value).toEqual({ a: 1 });
    expect((await parse(['t=@-'], object({ t: { type: 'string' } }), { stdin: 'text\n' })).value).toEqual({
      t: 'text\n',
    });
    await expect(parse(['t=@-', 'u=@-'], undefined, { stdin: 'x' })).rejects.toThrow(
      'standard input is read for argument t already',
    );
  });

  test('files are text or JSON', async () => {
    const schema = object({ t: { type: 'string' }, n: { type: 'integer' }, d: {} });
    expect((await parse(['t@notes.txt', 'n@seven.txt', 'd:@data.json'], schema)).value).toEqual({
      t: 'line one\nline two\n',
      n: 7,
      d: { deep: [1, 2] },
    });
  });

  test.each([
    [['t@nothing.txt'], `argument t: cannot read ${join(dir, 'nothing.txt')}: there is no such file`],
    [['t@latin.txt'], 'argument t: what was read is not UTF-8 text'],
    [['d:@notes.txt'], 'argument d: "line one\\nline two\\n" is not JSON'],
    [['{city:Berlin}'], 'the quotes are missing, as when a shell such as PowerShell takes them away'],
    [['{"a":1'], 'is not JSON'],
    [['{}', '{}'], 'more than one JSON object'],
    [['x:=nope'], 'argument x: "nope" is not JSON'],
  ])('%j: %s', async (words, message) => {
    await expect(parse(words)).rejects.toThrow(message);
  });

  test('--args takes an object, and not besides another', async () => {
    await expect(parse([], undefined, { args: '[1]' })).rejects.toThrow('--args: expected a JSON object, got [1]');
    await expect(parse(['{}'], undefined, { args: '{}' })).rejects.toThrow('give one of them');
  });
});
