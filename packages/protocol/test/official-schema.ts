import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { runInNewContext } from 'node:vm';

/*
 * The JSON Schemas of the specification, taken from the official conformance suite: it carries them inside its bundle as
 * object literals and exports nothing, so they are cut out of its text.
 */

/** Revisions whose schemas the suite carries. */
export type SchemaRevision = '2026-07-28' | '2025-11-25' | '2025-06-18' | '2025-03-26';

/** A definition, as far as tests look into it. */
interface Definition {
  readonly [keyword: string]: unknown;
  readonly properties?: { readonly [member: string]: Definition };
  readonly required?: readonly string[];
  readonly anyOf?: readonly Definition[];
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly $ref?: string;
}

/** A revision's official schema. */
export interface OfficialSchema {
  readonly definitions: { readonly [name: string]: Definition };
  /** What is wrong with a value of a type; empty where it is valid. */
  problems(type: string, value: unknown): string[];
}

interface Validate {
  (value: unknown): boolean;
  errors?: { instancePath: string; message?: string }[] | null;
}
interface Ajv {
  addSchema(schema: object): void;
  addFormat(name: string, format: true): void;
  compile(schema: object): Validate;
}
type AjvClass = new (options: object) => Ajv;

const ownRequire = createRequire(import.meta.url);
const bundle = ownRequire.resolve('@modelcontextprotocol/conformance/dist/index.js');
/* The validator is the suite's own dependency, and is found from where the suite stands. */
const suiteRequire = createRequire(bundle);

/** End of the object literal that begins at `start`: the braces outside of strings balance. */
function literalEnd(text: string, start: number): number {
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    const c = text[i];
    if (c === '{') depth++;
    else if (c === '}' && --depth === 0) return i + 1;
    else if (c === '`' || c === '"' || c === "'") {
      for (i++; text[i] !== c; i++) if (text[i] === '\\') i++;
    }
  }
  throw new Error('No object literal here');
}

/** Something that only this revision's schema has, and what it keeps its definitions under. */
const marks: { readonly [revision in SchemaRevision]: readonly [holder: string, has: string, lacks: string] } = {
  '2026-07-28': ['$defs', 'SubscriptionsListenRequest', 'InitializeRequest'],
  '2025-11-25': ['$defs', 'CreateTaskResult', 'SubscriptionsListenRequest'],
  '2025-06-18': ['definitions', 'ElicitRequest', 'JSONRPCBatchRequest'],
  '2025-03-26': ['definitions', 'JSONRPCBatchRequest', 'ElicitRequest'],
};

let literals: { [holder: string]: unknown }[] | undefined;

function allLiterals(): { [holder: string]: unknown }[] {
  if (literals !== undefined) return literals;
  const text = readFileSync(bundle, 'utf8');
  literals = [];
  for (const match of text.matchAll(/=(\{\$schema:[`"'][^`"']+[`"'],(?:definitions|\$defs):\{Annotations:)/g)) {
    const start = match.index + 1;
    const literal: unknown = runInNewContext(`(${text.slice(start, literalEnd(text, start))})`);
    literals.push(JSON.parse(JSON.stringify(literal)) as { [holder: string]: unknown });
  }
  return literals;
}

const made = new Map<SchemaRevision, OfficialSchema>();

/** The official schema of a revision. */
export function officialSchema(revision: SchemaRevision): OfficialSchema {
  const known = made.get(revision);
  if (known !== undefined) return known;
  const [holder, has, lacks] = marks[revision];
  const schema = allLiterals().find((literal) => {
    const definitions = literal[holder] as { [name: string]: unknown } | undefined;
    return definitions !== undefined && has in definitions && !(lacks in definitions);
  });
  if (schema === undefined) throw new Error(`The conformance suite carries no schema of ${revision}`);

  const { default: Ajv2020 } = suiteRequire(holder === '$defs' ? 'ajv/dist/2020.js' : 'ajv') as { default: AjvClass };
  const { default: addFormats } = suiteRequire('ajv-formats') as { default: (ajv: Ajv) => void };
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats(ajv);
  ajv.addFormat('byte', true);
  const id = `mcp://${revision}/schema.json`;
  ajv.addSchema({ ...schema, $id: id });
  const compiled = new Map<string, Validate>();
  const official: OfficialSchema = {
    definitions: schema[holder] as OfficialSchema['definitions'],
    problems(type, value) {
      let validate = compiled.get(type);
      if (validate === undefined) {
        validate = ajv.compile({ $ref: `${id}#/${holder}/${type}` });
        compiled.set(type, validate);
      }
      if (validate(value)) return [];
      return (validate.errors ?? []).map((error) => `${type}${error.instancePath}: ${error.message ?? 'invalid'}`);
    },
  };
  made.set(revision, official);
  return official;
}

/** Methods of the requests or notifications that a union of the schema names, such as `ClientRequest`. */
export function methodsIn(schema: OfficialSchema, union: string): string[] {
  const found: string[] = [];
  const visit = (definition: Definition | undefined): void => {
    const method = definition?.properties?.method?.const;
    if (typeof method === 'string') found.push(method);
    for (const part of definition?.anyOf ?? []) {
      visit(part.$ref === undefined ? part : schema.definitions[part.$ref.slice(part.$ref.lastIndexOf('/') + 1)]);
    }
  };
  visit(schema.definitions[union]);
  return found;
}
