import {
  DragomanError,
  type ElicitRequestedSchema,
  type JsonObject,
  type PrimitiveSchemaDefinition,
} from '@dragoman/protocol';
import type { Reports } from '../reports.ts';
import { type AnySchema, type ValueCheck, valueCheck } from '../schema/check.ts';
import type { EngineSource } from '../schema/engine.ts';
import { warnOfSlowPatterns } from '../schema/slow-patterns.ts';

/** A form made ready: what the client is sent, and how its content is checked. */
export interface Form {
  readonly requestedSchema: ElicitRequestedSchema;
  readonly check: ValueCheck;
}

const formats: ReadonlySet<unknown> = new Set(['email', 'uri', 'date', 'date-time']);

/** Forms by the schema objects they were made of. */
export class Forms {
  readonly #engines: EngineSource;
  readonly #reports: Reports;
  readonly #forms = new WeakMap<object, Form>();

  constructor(engines: EngineSource, reports: Reports) {
    this.#engines = engines;
    this.#reports = reports;
  }

  /** @throws DragomanError `INVALID_SCHEMA` where the schema is no form */
  of(schema: AnySchema): Form {
    let form = this.#forms.get(schema);
    if (form === undefined) {
      const check = valueCheck(schema, 'The schema of a form', 'input', this.#engines, { formats: true });
      form = { requestedSchema: requestedSchema(check.schema), check };
      warnOfSlowPatterns('A form', check, this.#reports);
      this.#forms.set(schema, form);
    }
    return form;
  }
}

/**
 * Writes a JSON Schema in the restricted form that clients can show (client/elicitation, "Requested Schema"): one level of
 * text, number, yes-or-no and choice fields. What narrows a field beyond what that form can say, such as a pattern, is
 * left out here and still checked in the answer.
 *
 * @throws DragomanError `INVALID_SCHEMA` for what a form cannot ask, naming the field
 */
export function requestedSchema(schema: JsonObject): ElicitRequestedSchema {
  if (schema.type !== 'object') throw unfit('its root', 'must have "type": "object"');
  const fields: [string, PrimitiveSchemaDefinition][] = [];
  for (const [name, field] of Object.entries((schema.properties ?? {}) as JsonObject)) {
    fields.push([name, fieldSchema(name, field)]);
  }
  const properties = Object.fromEntries(fields);
  const required = Array.isArray(schema.required) ? (schema.required as string[]) : [];
  return required.length > 0 ? { type: 'object', properties, required } : { type: 'object', properties };
}

function fieldSchema(name: string, field: unknown): PrimitiveSchemaDefinition {
  const where = `field ${JSON.stringify(name)}`;
  if (!isObject(field)) throw unfit(where, 'must be described by an object');
  switch (field.type) {
    case 'string':
      return textOrChoice(where, field);
    case 'number':
    case 'integer':
      return pick(field, ['type', 'title', 'description', 'minimum', 'maximum', 'default']);
    case 'boolean':
      return pick(field, ['type', 'title', 'description', 'default']);
    case 'array':
      return choices(where, field);
    default:
      throw unfit(
        where,
        `is of type ${JSON.stringify(field.type) ?? 'unknown'}; only string, number, integer, boolean and arrays of choices can be asked`,
      );
  }
}

function textOrChoice(where: string, field: JsonObject): PrimitiveSchemaDefinition {
  if (field.oneOf !== undefined) {
    return {
      ...pick<JsonObject>(field, ['type', 'title', 'description', 'default']),
      oneOf: titled(where, field.oneOf),
    } as PrimitiveSchemaDefinition;
  }
  if (field.const !== undefined) {
    return {
      ...pick<JsonObject>(field, ['type', 'title', 'description', 'default']),
      enum: [field.const],
    } as PrimitiveSchemaDefinition;
  }
  if (field.enum !== undefined) return pick(field, ['type', 'title', 'description', 'enum', 'enumNames', 'default']);
  const members = ['type', 'title', 'description', 'minLength', 'maxLength', 'default'];
  if (formats.has(field.format)) members.push('format');
  return pick(field, members);
}

function choices(where: string, field: JsonObject): PrimitiveSchemaDefinition {
  const items = field.items;
  const shared = pick<JsonObject>(field, ['type', 'title', 'description', 'minItems', 'maxItems', 'default']);
  if (isObject(items) && items.anyOf !== undefined)
    return { ...shared, items: { anyOf: titled(where, items.anyOf) } } as PrimitiveSchemaDefinition;
  if (isObject(items) && items.oneOf !== undefined)
    return { ...shared, items: { anyOf: titled(where, items.oneOf) } } as PrimitiveSchemaDefinition;
  if (isObject(items) && Array.isArray(items.enum) && items.enum.every((value) => typeof value === 'string')) {
    return { ...shared, items: { type: 'string', enum: items.enum } } as PrimitiveSchemaDefinition;
  }
  throw unfit(
    where,
    'is an array of something else than choices; its items need "enum", or "anyOf" with const and title',
  );
}

function titled(where: string, options: unknown): { const: string; title: string }[] {
  if (!Array.isArray(options)) throw unfit(where, 'has options that are no array');
  return options.map((option: unknown) => {
    if (isObject(option) && typeof option.const === 'string' && typeof option.title === 'string') {
      return { const: option.const, title: option.title };
    }
    throw unfit(where, 'has an option without a text "const" and "title"; other compositions cannot be asked');
  });
}

function pick<T extends object = PrimitiveSchemaDefinition>(field: JsonObject, members: readonly string[]): T {
  const picked: JsonObject = {};
  for (const member of members) if (field[member] !== undefined) picked[member] = field[member];
  return picked as T;
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const unfit = (where: string, why: string): DragomanError =>
  new DragomanError('INVALID_SCHEMA', `The schema cannot be asked as a form: ${where} ${why}`);
