/** A media type without its parameters, lower case, and its charset where it names one (RFC 9110 §8.3.1). */
export interface MediaType {
  /** Such as `application/json`. */
  readonly essence: string;
  /** Such as `utf-8`. */
  readonly charset?: string;
}

/** Reads a `Content-Type` value. Undefined where it is not one. */
export function parseMediaType(value: string | null | undefined): MediaType | undefined {
  if (value === undefined || value === null) return undefined;
  const semicolon = value.indexOf(';');
  const essence = (semicolon < 0 ? value : value.slice(0, semicolon)).trim().toLowerCase();
  if (!/^[^\s/,;]+\/[^\s/,;]+$/.test(essence)) return undefined;
  if (semicolon < 0) return { essence };
  const charset = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;]+))/i.exec(value.slice(semicolon));
  return charset === null ? { essence } : { essence, charset: (charset[1] ?? charset[2] ?? '').toLowerCase() };
}

/** Whether a media type carries UTF-8 text: no charset named, or UTF-8 or its subset US-ASCII (RFC 8259 §8.1). */
export const isUtf8 = (type: MediaType): boolean =>
  type.charset === undefined || type.charset === 'utf-8' || type.charset === 'utf8' || type.charset === 'us-ascii';

/** Whether an `Accept` value takes a media type; no value takes everything (RFC 9110 §12.5.1). */
export function accepts(accept: string | null | undefined, essence: string): boolean {
  if (accept === undefined || accept === null || accept.trim() === '') return true;
  const family = `${essence.slice(0, essence.indexOf('/'))}/*`;
  let best = -1;
  let taken = false;
  for (const part of accept.split(',')) {
    const [range = '', ...parameters] = part.split(';');
    const type = range.trim().toLowerCase();
    const precision = type === essence ? 2 : type === family ? 1 : type === '*/*' ? 0 : -1;
    if (precision < 0 || precision < best) continue;
    const refused = parameters.some((parameter) => /^\s*q\s*=\s*0(?:\.0*)?\s*$/i.test(parameter));
    taken = precision === best ? taken || !refused : !refused;
    best = precision;
  }
  return taken;
}
