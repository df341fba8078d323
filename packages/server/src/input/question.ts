import { type CreateMessageRequestParams, DragomanError, type InputRequest, type JsonObject } from '@dragoman/protocol';
import type { Reports } from '../reports.ts';
import { namesSecret } from '../secret-names.ts';
import { requestedSchema } from './form.ts';
import { checkSampling } from './sampling.ts';
import { checkUrl, insecureProblem } from './url.ts';

/**
 * Checks a question that was written out by hand: one of the three kinds, with what its kind must have
 * (basic/patterns/mrtr, "Server Requirements"). Whoever asks through the context cannot get that wrong.
 *
 * @throws DragomanError `INVALID_ARGUMENT` or `INVALID_SCHEMA`, naming the key
 */
export function checkQuestion(key: string, request: InputRequest): void {
  const { method, params } = (isObject(request) ? request : {}) as { method?: unknown; params?: unknown };
  if (method === 'roots/list') return;
  if (method !== 'elicitation/create' && method !== 'sampling/createMessage') {
    throw wrong(
      key,
      `its method is ${JSON.stringify(method) ?? 'missing'}; only elicitation/create, sampling/createMessage and roots/list can be asked`,
    );
  }
  if (!isObject(params)) throw wrong(key, 'it has no params');
  if (method === 'sampling/createMessage') checkSampling(params as unknown as CreateMessageRequestParams);
  else checkElicitation(key, params);
}

function checkElicitation(key: string, params: JsonObject): void {
  const { mode = 'form', message } = params;
  checkMessage(message);
  if (mode === 'url') checkUrl(params.url as string);
  else if (mode === 'form' && isObject(params.requestedSchema)) requestedSchema(params.requestedSchema);
  else throw wrong(key, mode === 'form' ? 'it has no requestedSchema' : `its mode is ${JSON.stringify(mode)}`);
}

const told = new WeakSet<object>();

/**
 * Warns of a question that should not be put like that: a form that asks for what looks like a secret, a page over plain
 * http. The same form is warned of once.
 */
export function warnOfRisks({ method, params }: InputRequest, reports: Reports): void {
  if (method !== 'elicitation/create') return;
  if (params.mode === 'url') {
    const problem = insecureProblem(params.url);
    if (problem !== undefined) reports.warning('INSECURE_URL', problem);
    return;
  }
  const schema = params.requestedSchema;
  const secrets = Object.keys(schema.properties ?? {}).filter(namesSecret);
  if (secrets.length === 0 || told.has(schema)) return;
  told.add(schema);
  const names = secrets.map((name) => JSON.stringify(name)).join(', ');
  reports.warning(
    'SECRET_FIELD',
    `A form asks for ${names}, and what is typed there passes through the client; send the user to a page with ctx.elicitUrl`,
  );
}

/** People have to be told what is asked of them (client/elicitation, "Elicitation Requests"). */
export function checkMessage(message: unknown): void {
  if (typeof message === 'string' && message !== '') return;
  throw new DragomanError(
    'INVALID_ARGUMENT',
    `A question needs a message for the user, got ${JSON.stringify(message)}`,
  );
}

const wrong = (key: string, why: string): DragomanError =>
  new DragomanError('INVALID_ARGUMENT', `The question ${JSON.stringify(key)} cannot be asked: ${why}`);

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
