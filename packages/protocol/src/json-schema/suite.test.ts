import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createEngine, type EngineOptions } from './index.ts';
import type { JsonSchema } from './port.ts';

/*
 * The official JSON-Schema-Test-Suite (https://github.com/json-schema-org/JSON-Schema-Test-Suite), from a checkout that
 * the environment variable JSON_SCHEMA_TEST_SUITE names. Without one these tests are skipped.
 */
const suite = process.env.JSON_SCHEMA_TEST_SUITE ?? '';

interface Group {
  readonly description: string;
  readonly schema: JsonSchema;
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[];
}

const drafts = [
  ['draft2020-12', undefined],
  ['draft2019-09', 'https://json-schema.org/draft/2019-09/schema'],
  ['draft7', 'http://json-schema.org/draft-07/schema#'],
] as const;

/** Cases that ask for a metaschema of their own, and with it for another set of keywords. It is an unknown dialect here. */
const refused = new Set([
  'vocabulary.json: schema that uses custom metaschema with with no validation vocabulary',
  'vocabulary.json: ignore unrecognized optional vocabulary',
]);

const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

/** The documents that the suite expects to be found at its own address, and the metaschemas where the suite has them. */
function remotes(): Map<string, JsonSchema> {
  const documents = new Map<string, JsonSchema>();
  const walk = (folder: string, uri: string) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) walk(path, `${uri}${entry.name}/`);
      else if (entry.name.endsWith('.json')) documents.set(uri + entry.name, read(path) as JsonSchema);
    }
  };
  walk(join(suite, 'remotes'), 'http://localhost:1234/');
  return documents;
}

/** Groups that refer to a metaschema, which is no part of the suite. */
const needsMetaschema = (group: Group) => /"\$ref":"https?:\/\/json-schema\.org\//.test(JSON.stringify(group.schema));

describe.skipIf(!existsSync(join(suite, 'tests')) || suite === '')('the official suite', () => {
  describe.each<[string, EngineOptions]>([
    ['interpreted', { codegen: 'none' }],
    ['generated', { codegen: 'all', warmup: 0 }],
  ])('%s', (_mode, options) => {
    test.each(drafts)('%s: all but custom vocabularies', (draft, $schema) => {
      const engine = createEngine({ ...options, documents: remotes() });
      const folder = join(suite, 'tests', draft);
      const failed: string[] = [];
      let passed = 0;
      for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
        for (const group of read(join(folder, file)) as Group[]) {
          const title = `${file}: ${group.description}`;
          const schema =
            typeof group.schema === 'object' && $schema !== undefined ? { $schema, ...group.schema } : group.schema;
          if (refused.has(title) || needsMetaschema(group)) {
            expect(() => engine.compile(schema), title).toThrow(/unknown JSON Schema dialect|leads outside/);
            continue;
          }
          const check = engine.compile(schema);
          for (const one of group.tests) {
            if ((check(one.data) === undefined) === one.valid) passed++;
            else failed.push(`${title}: ${one.description}`);
          }
        }
      }
      expect(failed).toEqual([]);
      expect(passed).toBeGreaterThan(800);
    });
  });
});
