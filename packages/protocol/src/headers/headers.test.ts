import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkParamHeaders, checkStandardHeaders, checkVersionHeader, mirroredHeaders } from './mirror.ts';
import { decodeHeaderValue, encodeHeaderValue } from './value.ts';
import { compileHeaderIndex, type HeaderIndex } from './x-mcp-header.ts';

const version = 'io.modelcontextprotocol/protocolVersion';
const lookup = (headers: Record<string, string>) => (name: string) => headers[name];
const indexOf = (schema: unknown): HeaderIndex => {
  const compiled = compileHeaderIndex(schema);
  if ('problem' in compiled) throw new Error(compiled.problem);
  return compiled.index;
};
const problemOf = (schema: unknown): string | undefined => {
  const compiled = compileHeaderIndex(schema);
  return 'problem' in compiled ? compiled.problem : undefined;
};

describe('values', () => {
  test.each([
    ['plain', 'plain'],
    ['two words', 'two words'],
    ['', ''],
    [42, '42'],
    [true, 'true'],
    [' edge', '=?base64?IGVkZ2U=?='],
    ['edge ', '=?base64?ZWRnZSA=?='],
    ['tab\there', '=?base64?dGFiCWhlcmU=?='],
    ['a\r\nb', '=?base64?YQ0KYg==?='],
    ['été', '=?base64?w6l0w6k=?='],
    ['=?base64?SGVsbG8=?=', '=?base64?PT9iYXNlNjQ/U0dWc2JHOD0/PQ==?='],
  ])('[T077][ENC-02][ENC-03][ENC-04] %j is sent as %s', (value, sent) => {
    expect(encodeHeaderValue(value)).toBe(sent);
  });

  test('[ENC-01] [ENC-06] whatever text goes in comes out, and only header-safe text is sent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const sent = encodeHeaderValue(text);
        expect(sent).toMatch(/^[\x20-\x7e]*$/);
        expect(decodeHeaderValue(sent)).toBe(text);
      }),
    );
  });

  test.each(['=?base64?SGVsbG8?=', '=?base64?SGVs!!!bG8=?=', '=?base64?/w==?=', '=?base64?====?='])(
    '[T078][ENC-09] %s is malformed',
    (raw) => {
      expect(decodeHeaderValue(raw)).toBeUndefined();
    },
  );

  test.each(['=?BASE64?SGVsbG8=?=', '=?base64?SGVsbG8=', 'SGVsbG8=?='])('[ENC-05] %s is literal text', (raw) => {
    expect(decodeHeaderValue(raw)).toBe(raw);
  });

  test.each(['caf\u00e9', 'a\u0000b', 'a\u007f'])('[X03][HDR-10] raw %j is malformed', (raw) => {
    expect(decodeHeaderValue(raw)).toBeUndefined();
  });

  test('[HDR-18][T079] white space at the edges is not part of a value', () => {
    expect(decodeHeaderValue(' \tx y\t ')).toBe('x y');
  });
});

describe('annotations', () => {
  test('[XMH-09][XMH-01][XMH-11] annotated properties, nested ones too, with their own path', () => {
    const index = indexOf({
      type: 'object',
      properties: {
        region: { type: 'string', 'x-mcp-header': 'Region' },
        plain: { type: 'string' },
        at: { type: 'object', properties: { deep: { type: 'integer', 'x-mcp-header': 'Deep' } } },
      },
    });
    expect(index.map((param) => [param.header, param.path.join('.'), param.type])).toEqual([
      ['Mcp-Param-Region', 'region', 'string'],
      ['Mcp-Param-Deep', 'at.deep', 'integer'],
    ]);
  });

  test.each([
    ['XMH-03', '', 'string', 'empty'],
    ['XMH-04', 'two words', 'string', 'token'],
    ['XMH-04', 'a:b', 'string', 'token'],
    ['XMH-04', 'é', 'string', 'token'],
    ['XMH-05', 'a\nb', 'string', 'token'],
    ['XMH-07', 'X', 'number', 'number'],
    ['XMH-07', 'X', 'object', 'object'],
    ['XMH-07', 'X', 'array', 'array'],
    ['XMH-07', 'X', 'null', 'null'],
    ['XMH-07', 'X', undefined, 'unknown'],
    ['XMH-03', 7, 'string', 'string'],
  ])('[%s] %j on %s is refused', (_rule, name, type, word) => {
    const problem = problemOf({ type: 'object', properties: { p: { type, 'x-mcp-header': name } } });
    expect(problem).toContain(word);
  });

  test('[XMH-06] names are unique whatever their case, nested ones included', () => {
    const p = (name: string) => ({ type: 'string', 'x-mcp-header': name });
    expect(problemOf({ properties: { a: p('X'), b: { properties: { c: p('x') } } } })).toContain('same header');
  });

  test.each([
    ['$defs', { $defs: { d: { type: 'string', 'x-mcp-header': 'X' } } }],
    ['anyOf', { anyOf: [{ properties: { p: { type: 'string', 'x-mcp-header': 'X' } } }] }],
    ['items', { properties: { a: { type: 'array', items: { type: 'string', 'x-mcp-header': 'X' } } } }],
    ['if', { if: { properties: { p: { type: 'string', 'x-mcp-header': 'X' } } } }],
    ['additionalProperties', { additionalProperties: { type: 'string', 'x-mcp-header': 'X' } }],
    ['the root', { type: 'string', 'x-mcp-header': 'X' }],
  ])('[XMH-10][XMH-12] inside %s it spoils the tool', (_where, schema) => {
    expect(problemOf(schema)).toContain('cannot be mirrored');
  });

  test.each([
    [true],
    [null],
    ['x'],
    [[]],
    [{ properties: { a: true, b: null }, allOf: [true, null], items: false, $defs: { c: 7 } }],
  ])('%j has no annotations', (schema) => {
    expect(indexOf(schema)).toEqual([]);
  });

  test('[XMH-19] a property that is called x-mcp-header is no annotation', () => {
    expect(indexOf({ properties: { 'x-mcp-header': { type: 'string' } } })).toEqual([]);
    expect(indexOf({ properties: { p: { const: { 'x-mcp-header': '' }, enum: [{ 'x-mcp-header': '' }] } } })).toEqual(
      [],
    );
  });

  test('[D01] a schema that is nested without end costs what it weighs', () => {
    const nested = (levels: number, leaf: unknown): unknown => {
      let schema = leaf;
      for (let level = 0; level < levels; level++) schema = { properties: { a: schema } };
      return schema;
    };
    expect(indexOf(nested(49_000, {}))).toEqual([]);
    const leaf = { type: 'string', 'x-mcp-header': 'X' };
    expect(indexOf(nested(64, leaf))[0]?.path).toHaveLength(64);
    expect(problemOf(nested(65, leaf))).toContain('levels deep');
    expect(problemOf(nested(100_001, {}))).toContain('parts');
  });

  test('[D01] a schema that contains itself ends', () => {
    const schema: Record<string, unknown> = { type: 'object' };
    schema.properties = { self: schema };
    expect(indexOf(schema)).toEqual([]);
  });
});

describe('mirroring', () => {
  const index = indexOf({
    properties: {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      count: { type: 'integer', 'x-mcp-header': 'Count' },
      __proto__x: { type: 'boolean', 'x-mcp-header': 'Flag' },
      at: { type: 'object', properties: { deep: { type: 'string', 'x-mcp-header': 'Deep' } } },
    },
  });
  const call = (args: unknown, name: unknown = 'échelle') => ({
    method: 'tools/call',
    params: { name, arguments: args, _meta: { [version]: '2026-07-28' } },
  });

  test('[ENC-01] [HDR-01][HDR-02][HDR-05] every header follows from the body', () => {
    expect(mirroredHeaders(call({ region: 'eu west', count: 0, at: { deep: '' } }), index)).toEqual([
      ['MCP-Protocol-Version', '2026-07-28'],
      ['Mcp-Method', 'tools/call'],
      ['Mcp-Name', '=?base64?w6ljaGVsbGU=?='],
      ['Mcp-Param-Region', 'eu west'],
      ['Mcp-Param-Count', '0'],
      ['Mcp-Param-Deep', ''],
    ]);
  });

  test.each([
    ['resources/read', { uri: 'file:///a%20b' }, 'file:///a%20b'],
    ['prompts/get', { name: 'p' }, 'p'],
    ['tasks/get', { taskId: 't' }, 't'],
    ['tasks/update', { taskId: 't' }, 't'],
    ['tasks/cancel', { taskId: 't' }, 't'],
  ])('[HDR-03][HDR-04] %s mirrors its name as it is', (method, params, name) => {
    expect(mirroredHeaders({ method, params })).toContainEqual(['Mcp-Name', name]);
  });

  test('[T074][HDR-15][XMH-16][T076] null, absent and inherited values are not mirrored', () => {
    const names = (args: unknown) => mirroredHeaders(call(args), index).map(([name]) => name);
    for (const args of [{}, { region: null, at: null }, { at: { deep: null } }, undefined, { region: { a: 1 } }]) {
      expect(names(args).filter((name) => name.startsWith('Mcp-Param'))).toEqual([]);
    }
    const inherited = indexOf({ properties: { toString: { type: 'string', 'x-mcp-header': 'X' } } });
    expect(mirroredHeaders(call({}), inherited).length).toBe(3);
  });

  test('what a client sends, a server accepts', () => {
    fc.assert(
      fc.property(
        fc.record({
          region: fc.option(fc.string()),
          count: fc.option(fc.integer()),
          at: fc.record({ deep: fc.string() }),
        }),
        fc.string(),
        (args, name) => {
          const request = call(args, name);
          const sent = new Map(mirroredHeaders(request, index).map(([key, value]) => [key.toLowerCase(), value]));
          const header = (key: string) => sent.get(key);
          expect(checkVersionHeader(request, header)).toBeUndefined();
          expect(checkStandardHeaders(request, header)).toBeUndefined();
          expect(checkParamHeaders(request, header, index)).toBeUndefined();
        },
      ),
    );
  });

  test('[HTTP-33] the version header equals the body', () => {
    expect(checkVersionHeader(call({}), lookup({ 'mcp-protocol-version': '2025-11-25' }))).toContain('2025-11-25');
    expect(checkVersionHeader(call({}), lookup({}))).toContain('missing');
  });

  test('[T020] without a version in the body the header is not what is wrong', () => {
    const request = { method: 'tools/list', params: {} };
    expect(checkVersionHeader(request, lookup({ 'mcp-protocol-version': '2026-07-28' }))).toBeUndefined();
  });

  test.each([
    [{}, 'Mcp-Method is missing'],
    [{ 'mcp-method': 'TOOLS/CALL', 'mcp-name': 'x' }, 'TOOLS/CALL'],
    [{ 'mcp-method': 'tools/call' }, 'Mcp-Name is missing'],
    [{ 'mcp-method': 'tools/call', 'mcp-name': 'X' }, '"X"'],
    [{ 'mcp-method': 'tools/call', 'mcp-name': '=?base64?eA?=' }, 'must not carry'],
  ])('[HDR-07][HDR-08][HDR-09] %j is refused', (headers, words) => {
    expect(checkStandardHeaders(call({}, 'x'), lookup(headers))).toContain(words);
  });

  test('a name that is no text is no question of headers, and one that is long is repeated only in part', () => {
    const method = { 'mcp-method': 'tools/call' };
    const odd = { method: 'tools/call', params: { name: 7 } };
    expect(checkStandardHeaders(odd, lookup(method))).toBeUndefined();
    expect(mirroredHeaders(odd)).toEqual([['Mcp-Method', 'tools/call']]);
    const wrong = checkStandardHeaders(call({}, 'x'.repeat(200)), lookup({ ...method, 'mcp-name': 'y' }));
    expect(wrong).toMatch(/"x{77}\.\.\."$/);
  });

  test('[X01][HDR-11] an encoded name is decoded before it is compared', () => {
    expect(
      checkStandardHeaders(call({}, 'x'), lookup({ 'mcp-method': 'tools/call', 'mcp-name': '=?base64?eA==?=' })),
    ).toBe(undefined);
    // The text of a sentinel is not itself the value it stands for.
    const name = '=?base64?eA==?=';
    expect(checkStandardHeaders(call({}, name), lookup({ 'mcp-method': 'tools/call', 'mcp-name': name }))).toContain(
      '"x"',
    );
  });

  test.each([
    ['[HDR-13] missing', { region: 'a' }, {}, 'missing'],
    ['[HDR-17] sent for null', { region: null }, { 'mcp-param-region': 'a' }, 'absent or null'],
    ['[HDR-08] different', { region: 'a' }, { 'mcp-param-region': 'b' }, '"b"'],
    ['[HDR-16] broken', { region: 'a' }, { 'mcp-param-region': '=?base64?!?=' }, 'must not carry'],
    ['[HDR-12] another number', { count: 42 }, { 'mcp-param-count': '43' }, '43'],
    ['[HDR-12] no number', { count: 0 }, { 'mcp-param-count': '' }, '""'],
    ['[HDR-12] broken number', { count: 0 }, { 'mcp-param-count': '\u0001' }, 'must not carry'],
    ['[HDR-17] missing parent', {}, { 'mcp-param-deep': 'a' }, 'absent or null'],
  ])('%s is refused', (_name, args, headers, words) => {
    expect(checkParamHeaders(call(args), lookup(headers as Record<string, string>), index)).toContain(words);
  });

  test('[HDR-12][T080] integers are compared as numbers', () => {
    for (const sent of ['42', '42.0', '4.2e1', ' 42 ']) {
      expect(checkParamHeaders(call({ count: 42 }), lookup({ 'mcp-param-count': sent }), index)).toBeUndefined();
    }
  });

  test('[XMH-08] an integer that a double does not hold exactly is neither mirrored nor taken', () => {
    const header = lookup({ 'mcp-param-count': String(2 ** 53) });
    for (const count of [2 ** 53, -(2 ** 53), 1e300]) {
      expect(() => mirroredHeaders(call({ count }), index)).toThrow(
        expect.objectContaining({ code: 'INVALID_ARGUMENT', message: expect.stringContaining('argument count') }),
      );
      expect(checkParamHeaders(call({ count }), header, index)).toContain('2^53 - 1');
    }
    for (const count of [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]) {
      expect(mirroredHeaders(call({ count }), index)).toContainEqual(['Mcp-Param-Count', String(count)]);
      expect(checkParamHeaders(call({ count }), lookup({ 'mcp-param-count': String(count) }), index)).toBeUndefined();
    }
  });

  test('[XMH-20] an argument of a kind that no header carries is left to the input check', () => {
    expect(checkParamHeaders(call({ region: { a: 1 } }), lookup({ 'mcp-param-region': 'x' }), index)).toBeUndefined();
    expect(checkParamHeaders(call({ at: 7 }), lookup({ 'mcp-param-deep': 'x' }), index)).toBeUndefined();
  });
});
