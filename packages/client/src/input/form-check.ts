import {
  DragomanError,
  type ElicitRequestedSchema,
  type JsonObject,
  type SchemaCheck,
  type SchemaEngine,
} from '@dragoman/protocol';
import { wrongAnswer } from './answers.ts';
import { formProblem } from './form.ts';

/** A form that was read: how its content is checked, or why it cannot be shown at all. */
export type FormCheck =
  | { readonly schema: ElicitRequestedSchema; readonly check: SchemaCheck }
  | { readonly problem: string };

/** Reads a requested schema, which comes from the server and may be anything (client/elicitation, "Requested Schema"). */
export async function readForm(schema: unknown, engine: () => Promise<SchemaEngine>): Promise<FormCheck> {
  const problem = formProblem(schema);
  if (problem !== undefined) return { problem };
  const compiler = await engine();
  const complete = completed(schema as JsonObject);
  try {
    return { schema: complete, check: compiler.compile({ ...complete }, { formats: true }) };
  } catch (cause) {
    return { problem: DragomanError.from(cause, 'INVALID_SCHEMA').message };
  }
}

/** The schema with the two members that every form has, so that whoever shows it need not look for them. */
function completed(schema: JsonObject): ElicitRequestedSchema {
  if (schema.type === 'object' && (schema.properties ?? undefined) !== undefined) {
    return schema as unknown as ElicitRequestedSchema;
  }
  const properties = (schema.properties ?? {}) as ElicitRequestedSchema['properties'];
  return { ...schema, type: 'object', properties };
}

/**
 * Holds the content of an accepted form against its schema before it is sent (client/elicitation, "Security").
 *
 * @throws DragomanError `INVALID_ARGUMENT` that names the fields and what is wrong with each.
 */
export function checkContent(key: string, form: FormCheck, content: unknown): void {
  if ('problem' in form) return;
  const issues = form.check(content);
  if (issues === undefined) return;
  throw wrongAnswer(
    key,
    issues.map((issue) => `${issue.path === '' ? 'the form' : issue.path}: ${issue.message}`).join('; '),
  );
}
