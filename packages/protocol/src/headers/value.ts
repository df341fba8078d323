const PREFIX = '=?base64?';
const SUFFIX = '?=';
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/**
 * Writes a mirrored value as a header value: text that a header can carry as it is, decimal integers, `true`/`false`;
 * anything else as `=?base64?…?=` over UTF-8 (streamable-http, "Value Encoding"). An empty string stays empty.
 */
export function encodeHeaderValue(value: string | number | boolean): string {
  if (typeof value !== 'string') return String(value);
  return needsEncoding(value) ? PREFIX + toBase64(encoder.encode(value)) + SUFFIX : value;
}

/**
 * Reads a header value back: white space at the edges dropped, the sentinel decoded strictly. Undefined where the value
 * holds characters that a header must not carry, or a sentinel whose Base64 or UTF-8 is broken
 * (streamable-http, "Server Validation"). Markers in any other spelling are literal text.
 */
export function decodeHeaderValue(raw: string): string | undefined {
  const value = trimWhitespace(raw);
  if (value.length >= PREFIX.length + SUFFIX.length && value.startsWith(PREFIX) && value.endsWith(SUFFIX)) {
    const text = value.slice(PREFIX.length, -SUFFIX.length);
    if (!base64.test(text)) return undefined;
    try {
      return utf8.decode(fromBase64(text));
    } catch {
      return undefined;
    }
  }
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at);
    if ((code < 0x20 && code !== 0x09) || code > 0x7e) return undefined;
  }
  return value;
}

/** White space round a field value is not part of it (RFC 9110 §5.5). */
function trimWhitespace(value: string): string {
  const first = value.charCodeAt(0);
  const last = value.charCodeAt(value.length - 1);
  if (first !== 0x20 && first !== 0x09 && last !== 0x20 && last !== 0x09) return value;
  return value.replace(/^[ \t]+|[ \t]+$/g, '');
}

function needsEncoding(value: string): boolean {
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at);
    // Tabs are legal inside a header, but intermediaries fold them; the sentinel carries them safely.
    if (code < 0x20 || code > 0x7e) return true;
  }
  return (
    value.charCodeAt(0) === 0x20 ||
    value.charCodeAt(value.length - 1) === 0x20 ||
    (value.startsWith(PREFIX) && value.endsWith(SUFFIX))
  );
}

function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(binary);
}

function fromBase64(text: string): Uint8Array {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}
