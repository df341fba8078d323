import type { JsonObject } from './messages/base.ts';

/** W3C trace context as it rides in `_meta` (basic, "`_meta`"; W3C Trace Context, W3C Baggage). */
export interface TraceContext {
  /** Version, trace, span and flags, as they stand in the header of that name. */
  readonly traceparent: string;
  /** What each vendor adds. */
  readonly tracestate?: string;
  /** What the application adds. Whoever sent it wrote it: no reason for a decision. */
  readonly baggage?: string;
}

/** The parts of a `traceparent`. */
export interface Traceparent {
  /** Two hexadecimal digits; `00` today. */
  readonly version: string;
  /** Of the whole trace: 32 hexadecimal digits. */
  readonly traceId: string;
  /** Of the caller's span: 16 hexadecimal digits. */
  readonly parentId: string;
  /** Whether the caller records the trace. */
  readonly sampled: boolean;
}

const parent = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Reads a `traceparent` (W3C Trace Context §3.2.2). Undefined where it is malformed. */
export function parseTraceparent(value: unknown): Traceparent | undefined {
  if (typeof value !== 'string') return undefined;
  const match = parent.exec(value);
  if (match === null) return undefined;
  const [, version = '', traceId = '', parentId = '', flags = '', more] = match;
  if (version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(parentId)) return undefined;
  return { version, traceId, parentId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

const stateKey = /^(?:[a-z][a-z0-9_\-*/]{0,255}|[a-z0-9][a-z0-9_\-*/]{0,240}@[a-z][a-z0-9_\-*/]{0,13})$/;
const stateValue = /^[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;

/** Whether a value is a `tracestate` list of at most 32 members with distinct keys (W3C Trace Context §3.3). */
export function isTracestate(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  const members = value
    .split(',')
    .map((member) => member.trim())
    .filter((member) => member !== '');
  const keys = new Set<string>();
  for (const member of members) {
    const equals = member.indexOf('=');
    const key = member.slice(0, equals);
    if (equals < 0 || !stateKey.test(key) || !stateValue.test(member.slice(equals + 1)) || keys.has(key)) return false;
    keys.add(key);
  }
  return members.length > 0 && members.length <= 32;
}

const baggageMember =
  /^\s*[!#$%&'*+\-.^_`|~0-9A-Za-z]+\s*=\s*[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*\s*(?:;[^,]*)?$/;

/** Whether a value is a `baggage` list of at most 8,192 bytes (W3C Baggage §3.2-3.3). */
export function isBaggage(value: unknown): value is string {
  if (typeof value !== 'string' || value.length === 0 || value.length > 8192) return false;
  return value.split(',').every((member) => baggageMember.test(member));
}

/** The trace context in a `_meta`. Malformed values read as absent, never as a failure of the request. */
export function traceContextOf(meta: JsonObject | undefined): TraceContext | undefined {
  if (meta === undefined || parseTraceparent(meta.traceparent) === undefined) return undefined;
  return {
    traceparent: meta.traceparent as string,
    ...(isTracestate(meta.tracestate) ? { tracestate: meta.tracestate } : undefined),
    ...(isBaggage(meta.baggage) ? { baggage: meta.baggage } : undefined),
  };
}
