import { ownMember, pointerTokens, readablePath, show } from './pointer.ts';
import type { SchemaIssue } from './port.ts';

/** An error of typebox, as far as it is used. */
export interface EngineError {
  readonly keyword: string;
  readonly schemaPath: string;
  readonly instancePath: string;
  readonly params: { readonly [name: string]: unknown };
  readonly message: string;
}

/** Keywords whose own error names the members that the boolean schema below them has refused. */
const namesMembers = /\/(?:additionalProperties|unevaluatedProperties|unevaluatedItems|propertyNames)$/;

/** Turns the errors of typebox into issues, without those that only repeat another. */
export function toIssues(errors: readonly EngineError[], value: unknown, most: number): readonly SchemaIssue[] {
  const issues: SchemaIssue[] = [];
  const known = new Set<string>();
  for (const error of withoutNoise(errors)) {
    for (const issue of issuesOf(error, value)) {
      const key = `${issue.pointer}\n${issue.message}`;
      if (known.has(key)) continue;
      if (issues.length >= most) return issues;
      known.add(key);
      issues.push(issue);
    }
  }
  return issues.length > 0 ? issues : [issueAt([], value, '', 'does not match the schema')];
}

/** The issue of a check that was ended before its time. */
export function limitIssue(value: unknown, message: string): readonly SchemaIssue[] {
  return [issueAt([], value, 'limit', message)];
}

function withoutNoise(errors: readonly EngineError[]): EngineError[] {
  const kept: EngineError[] = [];
  for (const error of errors) {
    if (error.keyword === 'boolean' && namesMembers.test(error.schemaPath)) continue;
    if (error.keyword === 'anyOf' || error.keyword === 'oneOf') foldBranches(error, kept);
    else if (error.keyword === 'if' && kept.some((other) => isBelow(other, `${error.schemaPath}/${failing(error)}`)))
      continue;
    else kept.push(error);
  }
  return kept;
}

function failing(error: EngineError): string {
  return String(error.params.failingKeyword);
}

function isBelow(error: EngineError, schemaPath: string): boolean {
  return error.schemaPath === schemaPath || error.schemaPath.startsWith(`${schemaPath}/`);
}

/**
 * What went wrong in the branches of an `anyOf` comes before the error of the `anyOf` itself. If just one branch is of the
 * value's type, it is the one that was meant, and its errors say more; else one error for all.
 */
function foldBranches(error: EngineError, kept: EngineError[]): void {
  const prefix = `${error.schemaPath}/${error.keyword}/`;
  const branches = new Map<string, EngineError[]>();
  const others: EngineError[] = [];
  for (const other of kept) {
    if (!other.schemaPath.startsWith(prefix)) {
      others.push(other);
      continue;
    }
    const branch = other.schemaPath.slice(prefix.length).split('/', 1)[0]!;
    const errors = branches.get(branch);
    if (errors === undefined) branches.set(branch, [other]);
    else errors.push(other);
  }
  kept.splice(0, kept.length, ...others);
  const meant = [...branches.values()].filter(
    (branch) => !branch.some((other) => isKind(other) && other.instancePath === error.instancePath),
  );
  const types = [...branches.values()].flatMap((branch) => typesOf(branch, error.instancePath));
  if (meant.length === 1) kept.push(...meant[0]!);
  else if (meant.length === 0 && types.length === branches.size && types.length > 0) {
    kept.push({ ...error, params: { ...error.params, types } });
  } else kept.push(error);
}

/** Keywords that tell which branch a value belongs to. */
function isKind(error: EngineError): boolean {
  // Long and structured choices are checks of our own, whose message begins with the keyword.
  const keyword = error.keyword === '~refine' ? error.message.slice(0, error.message.indexOf('\n')) : error.keyword;
  return keyword === 'type' || keyword === 'const' || keyword === 'enum';
}

function typesOf(branch: readonly EngineError[], instancePath: string): string[] {
  const only = branch.length === 1 && branch[0]!.instancePath === instancePath ? branch[0]! : undefined;
  if (only?.keyword === 'type') return [oneOfTypes(only.params.type)];
  if (only?.keyword === 'const') return [show(only.params.allowedValue)];
  return [];
}

function oneOfTypes(type: unknown): string {
  return Array.isArray(type) ? type.join(' or ') : String(type);
}

function issueAt(tokens: readonly string[], root: unknown, keyword: string, text: string): SchemaIssue {
  let value = root;
  for (const token of tokens) value = ownMember(value, token);
  const path = readablePath(tokens, root);
  const pointer = tokens.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  return value === undefined
    ? { path, pointer, keyword, message: text }
    : { path, pointer, keyword, message: text, value };
}

function* issuesOf(error: EngineError, root: unknown): Iterable<SchemaIssue> {
  const tokens = pointerTokens(error.instancePath) ?? [];
  let value = root;
  for (const token of tokens) value = ownMember(value, token);
  const got = `, got ${show(value)}`;
  const { keyword, params } = error;
  const at = (text: string) => issueAt(tokens, root, keyword, text);
  switch (keyword) {
    case 'required':
      for (const name of names(params.requiredProperties))
        yield issueAt([...tokens, name], root, keyword, 'is required');
      return;
    case 'dependentRequired':
      for (const name of names(params.dependencies)) {
        if (ownMember(value, name) !== undefined) continue;
        yield issueAt([...tokens, name], root, keyword, `is required where ${show(params.property)} is present`);
      }
      return;
    case 'additionalProperties':
    case 'unevaluatedProperties':
      for (const name of names(params[keyword])) {
        yield issueAt([...tokens, name], root, keyword, `is not allowed here, got ${show(ownMember(value, name))}`);
      }
      return;
    case 'propertyNames':
      for (const name of names(params.propertyNames)) {
        yield issueAt([...tokens, name], root, keyword, `is not a name that is allowed here`);
      }
      return;
    case 'unevaluatedItems':
      for (const index of indexes(params.unevaluatedItems)) {
        yield issueAt([...tokens, index], root, keyword, `is not allowed here, got ${show(ownMember(value, index))}`);
      }
      return;
    case 'type':
      yield at(`must be ${oneOfTypes(params.type)}${got}`);
      return;
    case 'enum': {
      const allowed = Array.isArray(params.allowedValues) ? params.allowedValues : [];
      const listed = allowed.slice(0, 20).map(show).join(', ');
      yield at(`must be one of ${listed}${allowed.length > 20 ? ', …' : ''}${got}`);
      return;
    }
    case 'const':
      yield at(`must be ${show(params.allowedValue)}${got}`);
      return;
    case 'anyOf':
    case 'oneOf':
      yield at(alternatives(keyword, params) + got);
      return;
    case 'boolean':
      yield at(`is not allowed here${got}`);
      return;
    case '~refine': {
      const [own = '', text = ''] = error.message.split('\n');
      if (own === 'required') yield issueAt([...tokens, text], root, own, 'is required');
      else if (own === 'additionalProperties') {
        yield* issuesOf({ ...error, keyword: own, params: { [own]: JSON.parse(text) } }, root);
      } else yield issueAt(tokens, root, own, text + got);
      return;
    }
    default:
      yield at(`${error.message}${got}`);
  }
}

function alternatives(keyword: string, params: EngineError['params']): string {
  if (Array.isArray(params.types)) return `must be ${params.types.join(' or ')}`;
  const passing = params.passingSchemas;
  if (keyword === 'oneOf' && Array.isArray(passing) && passing.length > 1) {
    return `must match exactly one of the alternatives, and matches ${passing.length} of them`;
  }
  return 'matches none of the alternatives';
}

function names(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
}

function indexes(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
