import {
  type Exchange,
  McpError,
  type Notification,
  serializeError,
  serializeNotification,
  serializeRequest,
  serializeResult,
} from '@dragoman/protocol';
import type { WireIO, WireTrace } from '../wires/wire.ts';

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
  return { ...event, text: masked(value) };
}

function masked(value: unknown): string {
  try {
    return JSON.stringify(value, mask);
  } catch {
    // Nested too deep to be written. What cannot be masked is not shown.
    return MASK;
  }
}

function mask(key: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (secret.test(key)) return MASK;
  return value.startsWith('Bearer ') ? `Bearer ${MASK}` : value;
}

/** Where trace events go, and whether anybody wants them. */
export interface TraceSink {
  readonly tracing: boolean;
  trace(event: WireTrace): void;
}

/**
 * Traces the messages of a wire that does not do so itself, numbered by this side. Costs a look at a flag while nobody
 * listens.
 */
export function traceMessages(next: Exchange, sink: TraceSink): Exchange {
  let count = 0;
  return (request, io: WireIO) => {
    if (!sink.tracing) return next(request, io);
    const id = ++count;
    const tell = (direction: 'sent' | 'received', text: string): void =>
      sink.trace({ type: 'message', direction, text });
    tell('sent', serializeRequest(id, request));
    const traced: WireIO = {
      signal: io.signal,
      auth: io.auth,
      notify: (notification: Notification) => {
        tell('received', serializeNotification(notification));
        io.notify(notification);
      },
    };
    return next(request, traced).then(
      (result) => {
        tell('received', serializeResult(id, result));
        return result;
      },
      (reason: unknown) => {
        if (reason instanceof McpError) tell('received', serializeError(id, reason));
        throw reason;
      },
    );
  };
}
