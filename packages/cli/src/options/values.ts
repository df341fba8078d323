import { DragomanError, parseTraceparent } from '@dragoman/protocol';

const refuse = (option: string, text: string, wanted: string): DragomanError =>
  new DragomanError('INVALID_ARGUMENT', `${option} ${JSON.stringify(text)}: ${wanted}`);

const units = new Map([
  ['ms', 1],
  ['s', 1000],
  ['', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
]);

/** A duration in milliseconds: `30s`, `500ms`, `2m`, `1h`, or seconds as a bare number. `0` and `none` mean no limit. */
export function duration(text: string, option: string): number {
  if (text === 'none') return 0;
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|)$/.exec(text);
  const unit = match === null ? undefined : units.get(match[2]!);
  if (unit === undefined) throw refuse(option, text, 'expected a duration such as 30s, 500ms, 2m or none');
  const value = Number(match![1]) * unit;
  // What a timer can hold; a longer one would fire at once.
  if (value > 2 ** 31 - 1) throw refuse(option, text, 'at most 24 days; none means no limit');
  return value;
}

/** A whole number of at least 1. */
export function count(text: string, option: string): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (value < 1) throw refuse(option, text, 'expected a whole number of at least 1');
  return value;
}

/** A TCP port; 0 means any free one. */
export function port(text: string, option: string): number {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : 65536;
  if (value > 65535) throw refuse(option, text, 'expected a port from 0 (any free one) to 65535');
  return value;
}

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** A header line, `Name: value` (RFC 9110 §5). */
export function header(text: string, option: string): readonly [string, string] {
  const colon = text.indexOf(':');
  const name = text.slice(0, Math.max(colon, 0)).trim();
  if (!token.test(name)) throw refuse(option, text, "expected 'Name: value'");
  return [name, headerValue(text.slice(colon + 1).trim(), `${option} ${name}`)];
}

// The value may be a secret, so what is refused is described and never shown.
function headerValue(value: string, where: string): string {
  const bad = /[^\P{Cc}\t]/u.test(value)
    ? 'a control character, such as a line end'
    : /[^\t\u{20}-\u{ff}]/u.test(value)
      ? 'a character outside Latin-1, which no HTTP header can carry'
      : undefined;
  if (bad !== undefined) throw new DragomanError('INVALID_ARGUMENT', `${where}: the value holds ${bad}`);
  return value;
}

/** A header whose value stands in an environment variable. */
export interface EnvHeader {
  readonly name: string;
  readonly variable: string;
  readonly value: string;
}

/** A header whose value stands in an environment variable, `Name=VARIABLE`. */
export function headerFromEnv(text: string, option: string): EnvHeader {
  const match = /^([^=]+)=([A-Za-z_][A-Za-z0-9_]*)$/.exec(text);
  const [, name = '', variable = ''] = match ?? [];
  if (!token.test(name)) throw refuse(option, text, 'expected Name=VARIABLE');
  const value = process.env[variable];
  if (value === undefined) throw refuse(option, text, `the environment variable ${variable} is not set`);
  return { name, variable, value: headerValue(value.trim(), `${option} ${name}=${variable}`) };
}

/** A pair `KEY=value`. The value may be empty and may hold further equals signs. */
export const pair = (text: string, option: string): readonly [string, string] => {
  const equals = text.indexOf('=');
  if (equals < 1) throw refuse(option, text, 'expected KEY=VALUE');
  return [text.slice(0, equals), text.slice(equals + 1)];
};

/** A W3C traceparent (Trace Context §3.2). */
export function traceparent(text: string, option: string): string {
  if (parseTraceparent(text) === undefined) {
    throw refuse(option, text, 'expected 00-<32 hex digits>-<16 hex digits>-<2 hex digits>, neither id all zeros');
  }
  return text;
}
