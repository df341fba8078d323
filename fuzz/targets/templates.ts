import { DragomanError } from '@dragoman/protocol';
import { uriTemplate } from '../../packages/server/src/uri-template.ts';
import { holds, type Target, textOf } from '../target.ts';

/** `template LF uri`: URI templates of a server's author, and URIs of a client. */
export const target: Target = {
  name: 'templates',
  seeds: [
    'file:///{+path}\nfile:///a/b%20c.txt',
    'repo://{owner}/{name}{/path*}\nrepo://o/n/src/x.ts',
    'log://{day}{?level,limit}{&more*}\nlog://mon?limit=5&more=1&more=2',
    '{x,y*}{.z:3}{;p,q}{#f}\n1,2,3.abc;p=1;q#x',
    '{a}{+b}{a1}{+b1}{c}{+c1}\naaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    'a/{%C3%A9}\na/%C3%A9%FF',
  ],
  words: ['{', '}', '{+', '{#', '{.', '{/', '{;', '{?', '{&', '*}', ':3}', '%2F', '%C3%A9', ',', '{x}', '{?x,y}'],
  run(input) {
    const text = textOf(input);
    const end = text.indexOf('\n');
    const uri = text.slice(end + 1);
    let template: ReturnType<typeof uriTemplate>;
    try {
      template = uriTemplate(end < 0 ? text : text.slice(0, end));
    } catch (error) {
      if (error instanceof DragomanError && error.code === 'INVALID_ARGUMENT') return;
      throw error;
    }
    const values = template.match(uri);
    if (values === undefined) return;
    for (const [name, value] of Object.entries(values)) {
      holds(template.variables.includes(name), `a variable that the template does not have: ${name}`);
      for (const each of Array.isArray(value) ? value : [value]) {
        holds(typeof each === 'string' && each.length <= uri.length, 'a value that is no part of the URI');
      }
    }
  },
};
