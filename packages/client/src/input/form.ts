import { type ElicitResult, type ElicitValue, type JsonObject, show } from '@dragoman/protocol';

/**
 * Says why a requested schema is not one of the flat forms that the protocol allows, or undefined where it is
 * (client/elicitation, "Requested Schema"). Lenient: a field with choices needs no `type`, and what is not known is passed over.
 */
export function formProblem(schema: unknown): string | undefined {
  if (!isObject(schema)) return 'it has no requestedSchema';
  if (schema.type !== undefined && schema.type !== 'object') return `its type is ${show(schema.type)}, not "object"`;
  const properties = schema.properties ?? undefined;
  if (properties === undefined) return undefined;
  if (!isObject(properties)) return 'its properties are no object';
  for (const name of Object.keys(properties)) {
    const problem = fieldProblem(properties[name]);
    if (problem !== undefined) return `its field ${show(name)} ${problem}`;
  }
  return undefined;
}

function fieldProblem(field: unknown): string | undefined {
  if (!isObject(field)) return 'is no schema';
  if (Array.isArray(field.enum) || Array.isArray(field.oneOf)) return undefined;
  switch (field.type) {
    case 'string':
    case 'number':
    case 'integer':
    case 'boolean':
      return undefined;
    case 'array': {
      const items = field.items;
      if (isObject(items) && (Array.isArray(items.enum) || Array.isArray(items.anyOf) || Array.isArray(items.oneOf))) {
        return undefined;
      }
      return 'is an array without choices';
    }
    default:
      return `is of type ${show(field.type)}, which no form has`;
  }
}

/** What an untouched form holds: the defaults of its fields. */
export function formDefaults(schema: unknown): { [field: string]: ElicitValue } {
  const properties = isObject(schema) && isObject(schema.properties) ? schema.properties : {};
  const defaults: [string, ElicitValue][] = [];
  for (const name of Object.keys(properties)) {
    const field = properties[name];
    if (isObject(field) && isElicitValue(field.default)) defaults.push([name, field.default]);
  }
  return Object.fromEntries(defaults);
}

/**
 * Accepts a form as it was shown: every field that has a default keeps it (client/elicitation, "Requested Schema").
 *
 * ```ts
 * const client = await connect(url, { handlers: { elicitForm: ({ requestedSchema }) => acceptDefaults(requestedSchema) } });
 * ```
 */
export function acceptDefaults(requestedSchema: unknown): ElicitResult {
  return { action: 'accept', content: formDefaults(requestedSchema) };
}

/** Whether a value is one that a form's field can hold. */
export function isElicitValue(value: unknown): value is ElicitValue {
  return (
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    (typeof value === 'number' && Number.isFinite(value)) ||
    (Array.isArray(value) && value.every((item) => typeof item === 'string'))
  );
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
