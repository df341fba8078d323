import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { patternDanger, patternDegree } from './pattern.ts';
import { compilePattern, toUnicodePattern } from './pattern-compile.ts';

describe('[JSCH-13] patterns that take exponential time are found before they are tried', () => {
  test.each([
    '^(a+)+$',
    '^(a*)*$',
    '(a|a)*b',
    '^(a|aa)+$',
    '(a*b?)*c',
    '^(\\w+\\s?)*$',
    '^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+$',
    '(.*)*x',
    '^(?:a?){30}a{30}$',
    '(?:(?:a{1,9}){1,9}){1,9}b',
    '^((ab)*|(ba)*|a|b)*$',
    '(?=(a+)+$)b',
    '(x+x+)+y',
    '^(([^,]|,)*,)+$',
    '(\\d|\\w)+!',
    '^(.|\\n|[^x])*$',
    '(?<name>a+)*z',
    '^(é|[^a])*$',
    '^(?:(?:a?)+b)*$',
    '^(?:(?:a?){2}b)*$',
    '^(?:(?:a?)+b\\w)*$',
  ])('%s', (source) => {
    expect(patternDanger(compilePattern(source)!)).toBeTypeOf('string');
  });

  test.each([
    '^[a-z]+$',
    '^[a-z0-9]+(?:-[a-z0-9]+)*$',
    '^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$',
    '^\\d{4}-\\d{2}-\\d{2}$',
    '^(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}$',
    '^#?([0-9a-f]{3}|[0-9a-f]{6})$',
    '.*foo.*bar.*',
    '^(a|b)*$',
    '^(ab|ac)*$',
    "^(?:[A-Za-z0-9_'+\\-]+\\.)*[A-Za-z0-9_'+\\-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$",
    '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26])-02-29|\\d{4}-(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01]))$',
    '^(?!\\.)(?!.*\\.\\.)[a-z.]+$',
    '^https?://[^\\s/$.?#].[^\\s]*$',
    '^\\p{L}+( \\p{L}+)*$',
    '[\\w-.]+',
    '^(\\w+)-\\1$',
    '^[\\s\\S]*$',
    '',
  ])('%s is left alone', (source) => {
    expect(patternDanger(compilePattern(source)!)).toBeUndefined();
  });
});

test('a pattern that is left alone ends soon for every short text', () => {
  const atom = fc.constantFrom('a', 'b', 'ab', '.', '[ab]', '\\w', '(?:a|b)', 'a?', '(?:ab?)');
  const pattern = fc.letrec<{ p: string }>((tie) => ({
    p: fc.oneof(
      { maxDepth: 3 },
      atom,
      fc.tuple(tie('p'), tie('p')).map(([a, b]) => a + b),
      fc.tuple(tie('p'), tie('p')).map(([a, b]) => `(?:${a}|${b})`),
      fc.tuple(tie('p'), fc.constantFrom('*', '+', '{2,}', '{1,3}')).map(([a, q]) => `(?:${a})${q}`),
    ),
  })).p;
  fc.assert(
    fc.property(pattern, (source) => {
      const compiled = new RegExp(`^(?:${source})$`, 'u');
      if (patternDanger(compiled) !== undefined) return;
      // An exponential pattern would not come back from this, and the test would run into its timeout.
      for (const text of ['a', 'b', 'ab', 'aab']) compiled.test(`${text.repeat(30)}!`);
    }),
    { numRuns: 300 },
  );
});

test.each([
  ['abc', 0],
  ['^[a-z]{3}-x$', 1],
  ['^[a-z]+$', 1],
  ['[a-z]+', 2],
  ['^.*x.*$', 2],
  ['^[^@]+@[^@]+$', 1],
  ['^a+b+c+$', 1],
  ['^a*a*a*$', 3],
])('the time of %s grows with power %d of the length', (source, degree) => {
  expect(patternDegree(compilePattern(source)!)).toBe(degree);
});

describe('patterns are ECMA-262 with the u flag, or without where only that is valid', () => {
  test('u flag first', () => {
    expect(compilePattern('^.$')?.test('😀')).toBe(true);
    expect(compilePattern('^\\p{L}$')?.test('é')).toBe(true);
  });

  test.each(['[\\w-.]', '\\_', 'a{', ']', '\\-'])('%s is valid only without', (source) => {
    expect(compilePattern(source)?.flags).toBe('');
  });

  test.each(['(', '[', '*a', 'a{2,1}'])('%s is valid in neither way', (source) => {
    expect(compilePattern(source)).toBeUndefined();
    expect(toUnicodePattern(source)).toBeUndefined();
  });

  test.each([
    ['[\\w-.]', '[\\w\\-.]'],
    ['\\_\\-a{', '_-a\\{'],
    ['a]', 'a\\]'],
    ['^a{2}}$', '^a{2}\\}$'],
    ['^\\d{2,}[\\-\\.]$', '^\\d{2,}[\\-\\.]$'],
  ])('%s becomes %s', (source, unicode) => {
    expect(toUnicodePattern(source)).toBe(unicode);
  });
});
