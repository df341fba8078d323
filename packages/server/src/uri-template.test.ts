import { DragomanError } from '@dragoman/protocol';
import fc from 'fast-check';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { uriTemplate, type VariablesOf } from './uri-template.ts';

const match = (template: string, uri: string) => uriTemplate(template).match(uri);

describe('[RES-06] expansions of RFC 6570 §3.2 are read back', () => {
  // The variables of RFC 6570 §3.2: what their expansions say of them.
  test.each([
    ['{var}', 'value', { var: 'value' }],
    ['{hello}', 'Hello%20World%21', { hello: 'Hello World!' }],
    ['{half}', '50%25', { half: '50%' }],
    ['O{empty}X', 'OX', undefined],
    ['{x,y}', '1024,768', { x: '1024', y: '768' }],
    ['{x,hello,y}', '1024,Hello%20World%21,768', { x: '1024', hello: 'Hello World!', y: '768' }],
    ['{var:3}', 'val', { var: 'val' }],
    ['{var:3}', 'value', undefined],
    ['{list}', 'red,green,blue', { list: 'red,green,blue' }],
    ['{list*}', 'red,green,blue', { list: ['red', 'green', 'blue'] }],
    ['{+var}', 'value', { var: 'value' }],
    ['{+hello}', 'Hello%20World!', { hello: 'Hello World!' }],
    ['{+path}/here', '/foo/bar/here', { path: '/foo/bar' }],
    ['here?ref={+path}', 'here?ref=/foo/bar', { path: '/foo/bar' }],
    ['up{+path}{var}/here', 'up/foo/barvalue/here', { path: '/foo/barvalu', var: 'e' }],
    ['{+x,hello,y}', '1024,Hello%20World!,768', { x: '1024', hello: 'Hello World!', y: '768' }],
    ['{+path:6}/here', '/foo/b/here', { path: '/foo/b' }],
    ['{+list*}', 'red,green,blue', { list: ['red', 'green', 'blue'] }],
    ['{#var}', '#value', { var: 'value' }],
    ['{#x,hello,y}', '#1024,Hello%20World!,768', { x: '1024', hello: 'Hello World!', y: '768' }],
    ['{#path,x}/here', '#/foo/bar,1024/here', { path: '/foo/bar', x: '1024' }],
    ['X{.var}', 'X.value', { var: 'value' }],
    ['X{.x,y}', 'X.1024.768', { x: '1024', y: '768' }],
    ['X{.list*}', 'X.red.green.blue', { list: ['red', 'green', 'blue'] }],
    ['{/var}', '/value', { var: 'value' }],
    ['{/var,x}/here', '/value/1024/here', { var: 'value', x: '1024' }],
    ['{/list*}', '/red/green/blue', { list: ['red', 'green', 'blue'] }],
    ['{/list*,path:4}', '/red/green/blue/%2Ffoo', { list: ['red', 'green', 'blue'], path: '/foo' }],
    ['{;x,y}', ';x=1024;y=768', { x: '1024', y: '768' }],
    ['{;x,y,empty}', ';x=1024;y=768;empty', { x: '1024', y: '768', empty: '' }],
    ['{;list*}', ';list=red;list=green;list=blue', { list: ['red', 'green', 'blue'] }],
    ['{?x,y}', '?x=1024&y=768', { x: '1024', y: '768' }],
    ['{?x,y,empty}', '?x=1024&y=768&empty=', { x: '1024', y: '768', empty: '' }],
    ['{?list*}', '?list=red&list=green&list=blue', { list: ['red', 'green', 'blue'] }],
    ['?fixed=yes{&x}', '?fixed=yes&x=1024', { x: '1024' }],
    ['{&x,y,empty}', '&x=1024&y=768&empty=', { x: '1024', y: '768', empty: '' }],
  ])('%s from %s', (template, uri, variables) => {
    expect(match(template, uri)).toEqual(variables);
  });
});

describe('as servers use them', () => {
  test.each([
    ['test://template/{id}/data', 'test://template/123/data', { id: '123' }],
    ['test://template/{id}/data', 'test://template/1/2/data', undefined],
    ['test://template/{id}/data', 'test://template//data', undefined],
    ['test://template/{id}/data', 'test://template/123/data/', undefined],
    ['file:///{+path}', 'file:///a/b%20c.txt', { path: 'a/b c.txt' }],
    ['repo://{owner}/{name}{/path*}', 'repo://o/n', { owner: 'o', name: 'n' }],
    ['repo://{owner}/{name}{/path*}', 'repo://o/n/src/x.ts', { owner: 'o', name: 'n', path: ['src', 'x.ts'] }],
    ['log://{day}{?level,limit}', 'log://mon?limit=5', { day: 'mon', limit: '5' }],
    ['log://{day}{?level,limit}', 'log://mon', { day: 'mon' }],
    ['log://{day}{?level,limit}', 'log://mon?other=1&level=info', { day: 'mon', level: 'info' }],
    ['a://{x}-{y}', 'a://1-2-3', { x: '1-2', y: '3' }],
    ['a://{+dir}/{file}', 'a://x/y/z', { dir: 'x/y', file: 'z' }],
    ['a://plain', 'a://plain', {}],
    ['a://plain', 'a://other', undefined],
    ['{/a,b}', '/1', { a: '1' }],
    ['{/one}', '/1/2', undefined],
    ['{x,y}', '1', undefined],
    ['{x,y}', '1,2,3', undefined],
  ])('%s against %s', (template, uri, variables) => {
    expect(match(template, uri)).toEqual(variables);
  });

  test('[B01] a literal matches as it stands and as an expansion writes it', () => {
    expect(match('doc://café/{id}', 'doc://café/1')).toEqual({ id: '1' });
    expect(match('doc://café/{id}', 'doc://caf%C3%A9/1')).toEqual({ id: '1' });
  });

  test('what a sloppy client left unencoded is read', () => {
    expect(match('weather://{city}', 'weather://São Paulo')).toEqual({ city: 'São Paulo' });
  });

  test('names of object members are variables like any other', () => {
    const variables = match('a://{__proto__}/{constructor}', 'a://1/2');
    expect(Object.entries(variables ?? {})).toEqual([
      ['__proto__', '1'],
      ['constructor', '2'],
    ]);
  });
});

describe('[RES-22] hostile URIs', () => {
  test.each(['a://%', 'a://%zz', 'a://%ff', 'a://%c3%28'])('%s is no match: its encoding is broken', (uri) => {
    expect(match('a://{x}', uri)).toBeUndefined();
  });

  test('the encoded slash and dots reach the handler decoded, to be judged there', () => {
    expect(match('a://{x}', 'a://..%2F..%2Fetc')).toEqual({ x: '../../etc' });
  });

  test('one that is too long is no match', () => {
    expect(match('a://{+x}', `a://${'y'.repeat(9000)}`)).toBeUndefined();
  });

  test('many expressions against a long URI that almost matches end soon', () => {
    const template = uriTemplate(`a://${Array.from({ length: 40 }, (_, at) => `{+v${at}}-`).join('')}end`);
    expect(template.match(`a://${'-'.repeat(8000)}en`)).toBeUndefined();
  });

  test('never throws', () => {
    const templates = ['a://{x}', '{+x}', 'a{/x*,y}{?z}', '{x,y*}{.t}{#f}', 'é{;a,b}'].map(uriTemplate);
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.constantFrom(...templates), (uri, template) => {
        template.match(uri);
        template.match(`a://${uri}`);
      }),
    );
  });

  test('what a simple variable was expanded to is read back', () => {
    const template = uriTemplate('x://{a}/{b}');
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'binary' }), fc.string({ minLength: 1, unit: 'binary' }), (a, b) => {
        expect(template.match(`x://${encodeURIComponent(a)}/${encodeURIComponent(b)}`)).toEqual({ a, b });
      }),
    );
  });
});

describe('templates that cannot be used', () => {
  test.each(['{', 'a{b', 'a}b', '{}', '{=x}', '{x y}', '{x:0}', '{x*:3}', '{x,}', '{a}{a}', '{|x}'])(
    '%s',
    (template) => {
      expect(() => uriTemplate(template)).toThrow(DragomanError);
      expect(() => uriTemplate(template)).toThrow(JSON.stringify(template));
    },
  );
});

test('types follow the text of the template', () => {
  expectTypeOf<VariablesOf<'a://{id}/{path*}{?page}'>['id']>().toEqualTypeOf<string>();
  expectTypeOf<VariablesOf<'a://{id}/{path*}{?page}'>['path']>().toEqualTypeOf<readonly string[]>();
  expectTypeOf<VariablesOf<'a://{id}/{path*}{?page}'>['page']>().toEqualTypeOf<string | undefined>();
  expectTypeOf<VariablesOf<'a://{x,y:3}'>['y']>().toEqualTypeOf<string>();
  expectTypeOf<VariablesOf<'a://{+path}'>['path']>().toEqualTypeOf<string>();
});

test('half of a character is refused: no URI could hold it', () => {
  expect(() => uriTemplate('x:\ud800{a}')).toThrow('half of a surrogate pair');
});
