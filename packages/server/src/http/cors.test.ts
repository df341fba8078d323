import { expect, test } from 'vitest';
import { Cors } from './cors.ts';

test.each([
  { allowHeaders: ['x\r\ny'] },
  { allowHeaders: 'x' as never },
  { exposeHeaders: ['☃'] },
  { exposeHeaders: [''] },
  { exposeHeaders: [5 as never] },
  { maxAge: -1 },
  { maxAge: Number.NaN },
])('what no answer could carry is refused when the endpoint is made: %j', (options) => {
  expect(() => new Cors(options, ['POST'])).toThrow(/^cors\./);
});

test('[C01] what a page asks for is granted where it is well-formed, and what is given by name', () => {
  const cors = new Cors({ allowHeaders: ['X-Own'], exposeHeaders: ['X-Shown'], maxAge: 0 }, ['POST']);
  const granted = new Map(cors.preflight('https://a.example', 'Mcp-Param-A, mcp-param-, evil, mcp-param-é', false));
  expect(granted.get('access-control-allow-headers')).toMatch(/, X-Own, mcp-param-a$/);
  expect(granted.get('access-control-max-age')).toBe('0');
  expect(new Map(cors.headers('https://a.example')).get('access-control-expose-headers')).toMatch(/, X-Shown$/);
});
