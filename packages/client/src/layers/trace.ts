import type { WireTrace } from '../wires/wire.ts';

const MASK = '***';

/** Members whose text is a secret wherever they stand. Not `progressToken`, `cursor` or `requestState`, which open nothing by themselves. */
const secret =
  /^(?:authorization|proxy-authorization|cookie|set-cookie|pass(?:word|wd|phrase)?|.*secret|.*api[-_]?key|.*private[-_]?key|.*credentials?|(?!progress).*token)$/i;

const mayHoldSecret = /auth|cookie|pass|secret|key|credential|token|bearer /i;

/**
 * A wire's trace event with the secrets in a message's text masked; headers were masked by the wire. Text that is not
 * JSON is kept as it is.
 */
export function maskTrace(event: WireTrace): WireTrace {
  if (event.type !== 'message' || !mayHoldSecret.test(event.text)) return event;
  let value: unknown;
  try {
    value = JSON.parse(event.text);
  } catch {
    return event;
  }
  return { ...event, text: JSON.stringify(value, mask) };
}

function mask(key: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (secret.test(key)) return MASK;
  return value.startsWith('Bearer ') ? `Bearer ${MASK}` : value;
}
