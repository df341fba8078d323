import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { uriTemplate } from './uri-template.ts';

type Value = string | readonly string[] | readonly (readonly [string, string])[] | undefined;

const operators = new Map([
  ['', { first: '', separator: ',', named: false, ifEmpty: '', reserved: false }],
  ['+', { first: '', separator: ',', named: false, ifEmpty: '', reserved: true }],
  ['#', { first: '#', separator: ',', named: false, ifEmpty: '', reserved: true }],
  ['.', { first: '.', separator: '.', named: false, ifEmpty: '', reserved: false }],
  ['/', { first: '/', separator: '/', named: false, ifEmpty: '', reserved: false }],
  [';', { first: ';', separator: ';', named: true, ifEmpty: '', reserved: false }],
  ['?', { first: '?', separator: '&', named: true, ifEmpty: '=', reserved: false }],
  ['&', { first: '&', separator: '&', named: true, ifEmpty: '=', reserved: false }],
]);
type Operator = NonNullable<ReturnType<typeof operators.get>>;

/** Percent-encodes what is not allowed to stand as it is (RFC 6570 §3.2.1). */
function encode(text: string, reserved: boolean): string {
  const strictly = (char: string): string =>
    encodeURIComponent(char).replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);
  if (!reserved) return [...text].map(strictly).join('');
  return text.replace(/%[0-9A-Fa-f]{2}|[\s\S]/gu, (char) =>
    char.length > 2 || /[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]/.test(char) ? char : encodeURIComponent(char),
  );
}

/** One variable of an expression; undefined where it has nothing to say (RFC 6570 appendix A). */
function expandVariable(specification: string, value: Value, operator: Operator): string | undefined {
  const [, name = '', star, length] = /^(.*?)(?:(\*)|:(\d+))?$/.exec(specification) ?? [];
  const { separator, named, ifEmpty, reserved } = operator;
  const pair = (key: string, text: string): string => (text === '' ? key + ifEmpty : `${key}=${text}`);
  if (value === undefined) return undefined;
  if (typeof value === 'string') {
    const text = encode(length === undefined ? value : [...value].slice(0, Number(length)).join(''), reserved);
    return named ? pair(name, text) : text;
  }
  if (value.length === 0) return undefined;
  if (star === undefined) {
    const text = value
      .flat()
      .map((each) => encode(each, reserved))
      .join(',');
    return named ? pair(name, text) : text;
  }
  return value
    .map((each) => {
      if (typeof each !== 'string')
        return pair(encode(each[0], reserved), encode(each[1], reserved)).replace(/^[^=]*$/, '$&=');
      return named ? pair(name, encode(each, reserved)) : encode(each, reserved);
    })
    .join(separator);
}

/** Expands a template as RFC 6570 §3 says. */
function expand(template: string, values: { readonly [name: string]: Value }): string {
  return template.replace(/\{([+#./;?&]?)([^}]*)\}/g, (_, sign: string, list: string) => {
    const operator = operators.get(sign) as Operator;
    const parts = list
      .split(',')
      .map((each) => expandVariable(each, values[each.replace(/(?:\*|:\d+)$/, '')], operator))
      .filter((each) => each !== undefined);
    return parts.length === 0 ? '' : operator.first + parts.join(operator.separator);
  });
}

/** The variables of RFC 6570 §3.2. */
const variables: { readonly [name: string]: Value } = {
  count: ['one', 'two', 'three'],
  dom: ['example', 'com'],
  dub: 'me/too',
  hello: 'Hello World!',
  half: '50%',
  var: 'value',
  who: 'fred',
  base: 'http://example.com/home/',
  path: '/foo/bar',
  list: ['red', 'green', 'blue'],
  keys: [
    ['semi', ';'],
    ['dot', '.'],
    ['comma', ','],
  ],
  v: '6',
  x: '1024',
  y: '768',
  empty: '',
  empty_keys: [],
  undef: undefined,
};

/** Templates and their expansions, from §3.2.1 to §3.2.9. */
const examples: readonly [section: string, template: string, expansion: string][] = [
  ['3.2.1', '{count}', 'one,two,three'],
  ['3.2.1', '{count*}', 'one,two,three'],
  ['3.2.1', '{/count}', '/one,two,three'],
  ['3.2.1', '{/count*}', '/one/two/three'],
  ['3.2.1', '{;count}', ';count=one,two,three'],
  ['3.2.1', '{;count*}', ';count=one;count=two;count=three'],
  ['3.2.1', '{?count}', '?count=one,two,three'],
  ['3.2.1', '{?count*}', '?count=one&count=two&count=three'],
  ['3.2.1', '{&count*}', '&count=one&count=two&count=three'],
  ['3.2.2', '{var}', 'value'],
  ['3.2.2', '{hello}', 'Hello%20World%21'],
  ['3.2.2', '{half}', '50%25'],
  ['3.2.2', 'O{empty}X', 'OX'],
  ['3.2.2', 'O{undef}X', 'OX'],
  ['3.2.2', '{x,y}', '1024,768'],
  ['3.2.2', '{x,hello,y}', '1024,Hello%20World%21,768'],
  ['3.2.2', '?{x,empty}', '?1024,'],
  ['3.2.2', '?{x,undef}', '?1024'],
  ['3.2.2', '?{undef,y}', '?768'],
  ['3.2.2', '{var:3}', 'val'],
  ['3.2.2', '{var:30}', 'value'],
  ['3.2.2', '{list}', 'red,green,blue'],
  ['3.2.2', '{list*}', 'red,green,blue'],
  ['3.2.2', '{keys}', 'semi,%3B,dot,.,comma,%2C'],
  ['3.2.2', '{keys*}', 'semi=%3B,dot=.,comma=%2C'],
  ['3.2.3', '{+var}', 'value'],
  ['3.2.3', '{+hello}', 'Hello%20World!'],
  ['3.2.3', '{+half}', '50%25'],
  ['3.2.3', '{base}index', 'http%3A%2F%2Fexample.com%2Fhome%2Findex'],
  ['3.2.3', '{+base}index', 'http://example.com/home/index'],
  ['3.2.3', 'O{+empty}X', 'OX'],
  ['3.2.3', 'O{+undef}X', 'OX'],
  ['3.2.3', '{+path}/here', '/foo/bar/here'],
  ['3.2.3', 'here?ref={+path}', 'here?ref=/foo/bar'],
  ['3.2.3', 'up{+path}{var}/here', 'up/foo/barvalue/here'],
  ['3.2.3', '{+x,hello,y}', '1024,Hello%20World!,768'],
  ['3.2.3', '{+path,x}/here', '/foo/bar,1024/here'],
  ['3.2.3', '{+path:6}/here', '/foo/b/here'],
  ['3.2.3', '{+list}', 'red,green,blue'],
  ['3.2.3', '{+list*}', 'red,green,blue'],
  ['3.2.3', '{+keys}', 'semi,;,dot,.,comma,,'],
  ['3.2.3', '{+keys*}', 'semi=;,dot=.,comma=,'],
  ['3.2.4', '{#var}', '#value'],
  ['3.2.4', '{#hello}', '#Hello%20World!'],
  ['3.2.4', '{#half}', '#50%25'],
  ['3.2.4', 'foo{#empty}', 'foo#'],
  ['3.2.4', 'foo{#undef}', 'foo'],
  ['3.2.4', '{#x,hello,y}', '#1024,Hello%20World!,768'],
  ['3.2.4', '{#path,x}/here', '#/foo/bar,1024/here'],
  ['3.2.4', '{#path:6}/here', '#/foo/b/here'],
  ['3.2.4', '{#list}', '#red,green,blue'],
  ['3.2.4', '{#list*}', '#red,green,blue'],
  ['3.2.4', '{#keys}', '#semi,;,dot,.,comma,,'],
  ['3.2.4', '{#keys*}', '#semi=;,dot=.,comma=,'],
  ['3.2.5', '{.who}', '.fred'],
  ['3.2.5', '{.who,who}', '.fred.fred'],
  ['3.2.5', '{.half,who}', '.50%25.fred'],
  ['3.2.5', 'www{.dom*}', 'www.example.com'],
  ['3.2.5', 'X{.var}', 'X.value'],
  ['3.2.5', 'X{.empty}', 'X.'],
  ['3.2.5', 'X{.undef}', 'X'],
  ['3.2.5', 'X{.var:3}', 'X.val'],
  ['3.2.5', 'X{.list}', 'X.red,green,blue'],
  ['3.2.5', 'X{.list*}', 'X.red.green.blue'],
  ['3.2.5', 'X{.keys}', 'X.semi,%3B,dot,.,comma,%2C'],
  ['3.2.5', 'X{.keys*}', 'X.semi=%3B.dot=..comma=%2C'],
  ['3.2.5', 'X{.empty_keys}', 'X'],
  ['3.2.5', 'X{.empty_keys*}', 'X'],
  ['3.2.6', '{/who}', '/fred'],
  ['3.2.6', '{/who,who}', '/fred/fred'],
  ['3.2.6', '{/half,who}', '/50%25/fred'],
  ['3.2.6', '{/who,dub}', '/fred/me%2Ftoo'],
  ['3.2.6', '{/var}', '/value'],
  ['3.2.6', '{/var,empty}', '/value/'],
  ['3.2.6', '{/var,undef}', '/value'],
  ['3.2.6', '{/var,x}/here', '/value/1024/here'],
  ['3.2.6', '{/var:1,var}', '/v/value'],
  ['3.2.6', '{/list}', '/red,green,blue'],
  ['3.2.6', '{/list*}', '/red/green/blue'],
  ['3.2.6', '{/list*,path:4}', '/red/green/blue/%2Ffoo'],
  ['3.2.6', '{/keys}', '/semi,%3B,dot,.,comma,%2C'],
  ['3.2.6', '{/keys*}', '/semi=%3B/dot=./comma=%2C'],
  ['3.2.7', '{;who}', ';who=fred'],
  ['3.2.7', '{;half}', ';half=50%25'],
  ['3.2.7', '{;empty}', ';empty'],
  ['3.2.7', '{;v,empty,who}', ';v=6;empty;who=fred'],
  ['3.2.7', '{;v,bar,who}', ';v=6;who=fred'],
  ['3.2.7', '{;x,y}', ';x=1024;y=768'],
  ['3.2.7', '{;x,y,empty}', ';x=1024;y=768;empty'],
  ['3.2.7', '{;x,y,undef}', ';x=1024;y=768'],
  ['3.2.7', '{;hello:5}', ';hello=Hello'],
  ['3.2.7', '{;list}', ';list=red,green,blue'],
  ['3.2.7', '{;list*}', ';list=red;list=green;list=blue'],
  ['3.2.7', '{;keys}', ';keys=semi,%3B,dot,.,comma,%2C'],
  ['3.2.7', '{;keys*}', ';semi=%3B;dot=.;comma=%2C'],
  ['3.2.8', '{?who}', '?who=fred'],
  ['3.2.8', '{?half}', '?half=50%25'],
  ['3.2.8', '{?x,y}', '?x=1024&y=768'],
  ['3.2.8', '{?x,y,empty}', '?x=1024&y=768&empty='],
  ['3.2.8', '{?x,y,undef}', '?x=1024&y=768'],
  ['3.2.8', '{?var:3}', '?var=val'],
  ['3.2.8', '{?list}', '?list=red,green,blue'],
  ['3.2.8', '{?list*}', '?list=red&list=green&list=blue'],
  ['3.2.8', '{?keys}', '?keys=semi,%3B,dot,.,comma,%2C'],
  ['3.2.8', '{?keys*}', '?semi=%3B&dot=.&comma=%2C'],
  ['3.2.9', '{&who}', '&who=fred'],
  ['3.2.9', '{&half}', '&half=50%25'],
  ['3.2.9', '?fixed=yes{&x}', '?fixed=yes&x=1024'],
  ['3.2.9', '{&x,y,empty}', '&x=1024&y=768&empty='],
  ['3.2.9', '{&x,y,undef}', '&x=1024&y=768'],
  ['3.2.9', '{&var:3}', '&var=val'],
  ['3.2.9', '{&list}', '&list=red,green,blue'],
  ['3.2.9', '{&list*}', '&list=red&list=green&list=blue'],
  ['3.2.9', '{&keys}', '&keys=semi,%3B,dot,.,comma,%2C'],
  ['3.2.9', '{&keys*}', '&semi=%3B&dot=.&comma=%2C'],
];

/** What is read of an expansion: a list that is not exploded is a text with commas in it. */
function expected(template: string): { [name: string]: unknown } {
  const read: { [name: string]: unknown } = {};
  for (const [, list = ''] of template.matchAll(/\{[+#./;?&]?([^}]*)\}/g)) {
    for (const specification of list.split(',')) {
      const [, name = '', star, length] = /^(.*?)(?:(\*)|:(\d+))?$/.exec(specification) ?? [];
      const value = variables[name];
      if (value === undefined || value.length === 0) {
        if (value === '') read[name] = '';
      } else if (typeof value === 'string') read[name] = length === undefined ? value : value.slice(0, Number(length));
      else read[name] = star === undefined ? value.join(',') : value;
    }
  }
  return read;
}

describe('[RES-06] the examples of RFC 6570', () => {
  test.each(examples)('§%s: %s stands for %s', (_, template, expansion) => {
    expect(expand(template, variables)).toBe(expansion);
  });

  const readable = examples.filter(([, template]) => !/keys/.test(template));
  // Variables that stand twice, for which there may be two values, are refused.
  const twice = readable.filter(([, template]) => /who,who|var:1,var/.test(template));
  // Outside of `{/x}`, `{?x}` and their like a variable stands for at least one character.
  const missing = readable.filter(([, template]) => /O\{|\{x,undef|\{undef,/.test(template));
  const ambiguous = readable.filter(([, template]) => template.startsWith('up'));
  const rest = readable.filter((each) => ![...twice, ...missing, ...ambiguous].includes(each));

  test.each(rest)('§%s: %s is read from %s', (_, template, expansion) => {
    expect(uriTemplate(template).match(expansion)).toEqual(expected(template));
  });

  test.each(twice)('§%s: %s says one thing twice', (_, template) => {
    expect(() => uriTemplate(template)).toThrow('twice');
  });

  test.each(missing)('§%s: %s is not read from %s', (_, template, expansion) => {
    expect(uriTemplate(template).match(expansion)).toBeUndefined();
  });

  test.each(ambiguous)('§%s: %s can be read from %s in more than one way', (_, template, expansion) => {
    expect(expand(template, uriTemplate(template).match(expansion) ?? {})).toBe(expansion);
  });
});

test('[RES-06] whatever a template is expanded to, it reads as what expands to the same', () => {
  const value = fc.string({
    unit: fc.constantFrom('a', 'B', '-', 'é', '😀', ' ', '/', '?', '&', '=', ';', '#'),
    minLength: 1,
    maxLength: 6,
  });
  const sign = fc.constantFrom('', '+', '#', '.', '/', ';', '?', '&');
  const suffix = fc.constantFrom('', '', '*', ':2');
  const expression = fc.tuple(
    sign,
    fc.array(fc.tuple(suffix, fc.array(value, { minLength: 1, maxLength: 3 })), { minLength: 1, maxLength: 3 }),
  );
  fc.assert(
    fc.property(fc.array(expression, { minLength: 1, maxLength: 3 }), (expressions) => {
      let count = 0;
      const values: { [name: string]: string | string[] } = {};
      const parts = expressions.map(([operator, list]) => {
        const names = list.map(([modifier, given], index) => {
          const name = `v${count++}`;
          // Only one list to an expression: where one ends and the next begins, nobody could tell.
          const exploded = modifier === '*' && index === 0;
          values[name] = exploded ? given : (given[0] as string);
          return name + (modifier === '*' && !exploded ? '' : modifier);
        });
        return `{${operator}${names.join(',')}}`;
      });
      const template = `x:${parts.join('!')}`;
      const uri = expand(template, values);
      expect(expand(template, uriTemplate(template).match(uri) ?? {})).toBe(uri);
    }),
    { numRuns: 500 },
  );
});
