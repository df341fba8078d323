import { DragomanError, type JsonSchema, type SchemaCheck } from '@dragoman/protocol';
import { createEngine } from '@dragoman/protocol/json-schema';
import { Broken, holds, jsonOf, same, type Target } from '../target.ts';

const interpreted = createEngine({ codegen: 'none', formats: true });
const generated = createEngine({ codegen: 'all', warmup: 0, formats: true });

function compile(engine: typeof interpreted, schema: unknown): SchemaCheck | undefined {
  try {
    return engine.compile(schema as JsonSchema, { maxSteps: 50_000 });
  } catch (error) {
    if (error instanceof DragomanError && error.code === 'INVALID_SCHEMA') return undefined;
    throw error;
  }
}

const deep = (open: string, close: string, times: number): string => open.repeat(times) + close.repeat(times);

/** `[schema, value, value, …]`: schemas from a peer, and values held against them. */
export const target: Target = {
  name: 'schema',
  seeds: [
    '[{"type":"object","properties":{"a":{"type":"string","minLength":1}},"required":["a"]},{"a":"x"},{},{"a":""}]',
    '[{"$ref":"#"},1]',
    '[{"$defs":{"n":{"properties":{"c":{"items":{"$ref":"#/$defs/n"}}}}},"$ref":"#/$defs/n"},{"c":[{"c":[]}]},{"c":1}]',
    '[{"allOf":[{"$ref":"#/$defs/a"}],"$defs":{"a":{"anyOf":[{"$ref":"#/$defs/b"},{"$ref":"#/$defs/b"}]},"b":{"anyOf":[{"$ref":"#/$defs/c"},{"$ref":"#/$defs/c"}]},"c":{"const":1}}},2]',
    '[{"pattern":"^(a+)+$"},"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"]',
    '[{"properties":{"__proto__":{"type":"string"},"toString":{"type":"number"},"constructor":false},"required":["__proto__"]},{"__proto__":"x"},{}]',
    '[{"patternProperties":{"^x":{"type":"integer"}},"additionalProperties":false,"unevaluatedProperties":false},{"x1":1},{"y":1}]',
    '[{"$schema":"http://json-schema.org/draft-07/schema#","definitions":{"a":{"enum":[1,2]}},"items":[{"$ref":"#/definitions/a"}]},[1],[3]]',
    '[{"$anchor":"x","$dynamicAnchor":"y","not":{"$dynamicRef":"#y"}},0]',
    '[{"multipleOf":0.1,"uniqueItems":true,"contains":{"const":1},"minContains":2},0.3,[1,1],[1,2,1]]',
    `[${deep('{"not":', '}', 0)}{"items":${deep('{"items":', '}', 0)}true},${deep('[', ']', 100)}]`,
    '[{"format":"email"},"a@b","x"]',
  ],
  words: [
    ...[
      '"$ref":"#"',
      '"$ref":"#/$defs/a"',
      '"$defs":{"a":',
      '"anyOf":[',
      '"allOf":[',
      '"not":',
      '"items":',
      '"properties":{',
    ],
    ...[
      '"pattern":"',
      '(a+)+$',
      '(a|a)*',
      '.*.*.*',
      '[\\\\w-.]',
      '\\\\p{L}',
      '(?=a)',
      '"type":"string"',
      '"const":',
      '"enum":[',
    ],
    ...[
      '"$id":"x"',
      '"$dynamicRef":"#a"',
      '"uniqueItems":true',
      '"unevaluatedProperties":false',
      '"minimum":',
      '"required":[',
    ],
  ],
  run(input) {
    const json = jsonOf(input);
    if (!Array.isArray(json?.value)) return;
    const [given, ...values] = json.value as unknown[];
    const [one, other] = [compile(interpreted, given), compile(generated, given)];
    same('whether it is refused', one === undefined, other === undefined);
    if (one === undefined || other === undefined) return;
    for (const value of values.slice(0, 5)) {
      const [first, second] = [one(value), other(value)];
      same('whether a value holds', first === undefined, second === undefined);
      holds(first === undefined || (first.length > 0 && first.length <= 20), 'a number of issues');
      for (const issue of first ?? []) {
        if (typeof issue.message !== 'string' || issue.message.length > 2000) throw new Broken('an issue without end');
      }
    }
  },
};
