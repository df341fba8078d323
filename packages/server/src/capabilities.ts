import type { ClientCapabilities, ServerCapabilities } from '@dragoman/protocol';

type Members = { readonly [name: string]: unknown };

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a server's capabilities have something at a path. `{}` counts, `false` and null do not. */
export function advertises(capabilities: ServerCapabilities, path: readonly string[]): boolean {
  let value: unknown = capabilities;
  for (const name of path) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return false;
    value = value[name];
  }
  return value !== undefined && value !== null && value !== false;
}

/**
 * The part of what is required that a client did not declare, in the same shape; undefined where nothing is missing.
 * `elicitation: {}` declares form mode (client/elicitation, "Capabilities").
 */
export function missingCapabilities(
  required: ClientCapabilities,
  declared: ClientCapabilities,
): ClientCapabilities | undefined {
  let missing: { [name: string]: unknown } | undefined;
  for (const name of Object.keys(required)) {
    const wanted = (required as Members)[name];
    if (wanted === undefined || wanted === null) continue;
    const has = Object.hasOwn(declared, name) ? (declared as Members)[name] : undefined;
    const lacking = name === 'elicitation' ? missingModes(wanted, has) : missingMembers(wanted, has);
    if (lacking === undefined) continue;
    missing ??= {};
    missing[name] = lacking;
  }
  return missing as ClientCapabilities | undefined;
}

function missingModes(wanted: unknown, has: unknown): Members | undefined {
  if (!isObject(has)) return isObject(wanted) ? wanted : {};
  const formOnly = isObject(has.form) || !isObject(has.url);
  const needsForm = !isObject(wanted) || isObject(wanted.form) || !isObject(wanted.url);
  const needsUrl = isObject(wanted) && isObject(wanted.url);
  let missing: { [name: string]: unknown } | undefined;
  if (needsForm && !formOnly) missing = { form: {} };
  if (needsUrl && !isObject(has.url)) missing = { ...missing, url: {} };
  return missing;
}

/** One level below the name is enough for every capability that the protocol defines. */
function missingMembers(wanted: unknown, has: unknown): Members | undefined {
  if (!isObject(has)) return isObject(wanted) ? wanted : {};
  if (!isObject(wanted)) return undefined;
  let missing: { [name: string]: unknown } | undefined;
  for (const name of Object.keys(wanted)) {
    const value = wanted[name];
    if (value === undefined || value === null || value === false) continue;
    if (Object.hasOwn(has, name) && has[name] !== undefined && has[name] !== null && has[name] !== false) continue;
    missing ??= {};
    missing[name] = value;
  }
  return missing;
}
