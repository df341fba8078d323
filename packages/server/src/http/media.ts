import { accepts, isUtf8, parseMediaType } from '@dragoman/protocol';
import type { RequestHead } from './authenticate.ts';
import type { HeaderPairs } from './cors.ts';

export const JSON_TYPE = 'application/json';
export const EVENTS_TYPE = 'text/event-stream';
const BOTH_TYPES = `${JSON_TYPE}, ${EVENTS_TYPE}`;

/** Why a request is not looked at any further. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: HeaderPairs;
}

/** In which forms a client takes its answer. */
export interface Taken {
  readonly json: boolean;
  readonly events: boolean;
}

const both: Taken = Object.freeze({ json: true, events: true });

/** Whether the body is JSON in UTF-8, as it is. Returns why not, or undefined. */
export function checkContentType(head: RequestHead): Refusal | undefined {
  const type = head.header('content-type');
  if (type !== JSON_TYPE) {
    const parsed = parseMediaType(type);
    if (parsed?.essence !== JSON_TYPE || !isUtf8(parsed)) {
      return { status: 415, message: `Content-Type ${quote(type)} is not served: send ${JSON_TYPE} in UTF-8` };
    }
  }
  const encoding = head.header('content-encoding');
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return undefined;
  return {
    status: 415,
    message: `Content-Encoding ${quote(encoding)} is not served: send the body as it is`,
    headers: [['accept-encoding', 'identity']],
  };
}

/** Which forms of an answer the client takes. A client should take both; one is enough here. */
export function checkAccept(head: RequestHead): Taken | Refusal {
  const accept = head.header('accept');
  if (accept === BOTH_TYPES) return both;
  const json = accepts(accept, JSON_TYPE);
  const events = accepts(accept, EVENTS_TYPE);
  if (json || events) return { json, events };
  return { status: 406, message: `Accept ${quote(accept)} leaves no answer: accept ${BOTH_TYPES}` };
}

const quote = (value: string | undefined): string =>
  value === undefined ? '(none)' : JSON.stringify(value.length > 80 ? `${value.slice(0, 77)}...` : value);
