import { expect, test } from 'vitest';
import { advertises, missingCapabilities } from './capabilities.ts';

test('[ERR-12] a path is advertised where something stands at its end', () => {
  expect(advertises({ tools: {} }, ['tools'])).toBe(true);
  expect(advertises({}, ['tools'])).toBe(false);
  expect(advertises({ resources: { subscribe: false } }, ['resources', 'subscribe'])).toBe(false);
  expect(advertises({ resources: { subscribe: true } }, ['resources', 'subscribe'])).toBe(true);
  expect(advertises({ extensions: {} }, ['extensions', 'constructor'])).toBe(false);
});

test.each([
  ['nothing required', {}, {}, undefined],
  ['a whole capability', { sampling: {} }, {}, { sampling: {} }],
  ['declared', { sampling: {} }, { sampling: {} }, undefined],
  ['declared as null', { sampling: {} }, { sampling: null }, { sampling: {} }],
  ['declared as true, which is no capability', { sampling: {} }, { sampling: true }, { sampling: {} }],
  ['a part', { sampling: { tools: {} } }, { sampling: {} }, { sampling: { tools: {} } }],
  ['a part that is there', { sampling: { tools: {} } }, { sampling: { tools: {} } }, undefined],
  ['[T046] elicitation {} has forms', { elicitation: { form: {} } }, { elicitation: {} }, undefined],
  [
    '[T046] elicitation {} has no URLs',
    { elicitation: { url: {} } },
    { elicitation: {} },
    { elicitation: { url: {} } },
  ],
  [
    'url alone has no forms',
    { elicitation: { form: {} } },
    { elicitation: { url: {} } },
    { elicitation: { form: {} } },
  ],
  ['elicitation {} asks for forms', { elicitation: {} }, { elicitation: { url: {} } }, { elicitation: { form: {} } }],
  ['both modes', { elicitation: { form: {}, url: {} } }, { elicitation: {} }, { elicitation: { url: {} } }],
  ['both modes of nothing', { elicitation: { form: {}, url: {} } }, {}, { elicitation: { form: {}, url: {} } }],
  ['null, which requires nothing', { sampling: null, roots: undefined }, {}, undefined],
  [
    'true, which any declaration fulfils',
    { roots: true, sampling: { tools: false } },
    { roots: {}, sampling: {} },
    undefined,
  ],
  ['true, of what is not declared', { roots: true, elicitation: true }, {}, { roots: {}, elicitation: {} }],
  ['true, of forms', { elicitation: true }, { elicitation: { url: {} } }, { elicitation: { form: {} } }],
  [
    'a part that is declared as null',
    { sampling: { tools: {} } },
    { sampling: { tools: null } },
    { sampling: { tools: {} } },
  ],
  ['an extension', { extensions: { 'a.b/c': {} } }, { extensions: {} }, { extensions: { 'a.b/c': {} } }],
  ['an extension that is there', { extensions: { 'a.b/c': {} } }, { extensions: { 'a.b/c': { x: 1 } } }, undefined],
  ['only what is missing', { roots: {}, sampling: {} }, { roots: { listChanged: true } }, { sampling: {} }],
])('[ERR-08] %s', (_, required, declared, missing) => {
  expect(missingCapabilities(required as object, declared as object)).toEqual(missing);
});
