import {
  accepts,
  checkParamHeaders,
  checkStandardHeaders,
  checkVersionHeader,
  compileHeaderIndex,
  decodeHeaderValue,
  encodeHeaderValue,
  isBaggage,
  isTracestate,
  isUtf8,
  mirroredHeaders,
  parseMediaType,
  parseTraceparent,
  type Request,
} from '@dragoman/protocol';
import { isLoopbackName, parseHost, parseOrigin } from '../../packages/server/src/http/host.ts';
import { holds, jsonOf, same, type Target, textOf } from '../target.ts';

/** Halves of surrogate pairs: they have no bytes of their own. */
const halves = /\p{Surrogate}/u;

/** Values of HTTP headers, and the arguments that are mirrored in them. */
export const target: Target = {
  name: 'headers',
  seeds: [
    '=?base64?SGVsbG8=?=',
    ' edge\t',
    'application/json; charset="UTF-8"; q=0.5, text/event-stream;q=0',
    '127.0.0.1:80',
    'http://[::1]:8080',
    '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    'a=1,b@c=2',
    'été',
    '{"schema":{"properties":{"a":{"type":"string","x-mcp-header":"A"},"b":{"properties":{"c":{"type":"integer","x-mcp-header":"C"}}}}},"args":{"a":"é","b":{"c":7}},"name":"t"}',
    '{"schema":{"properties":{"__proto__":{"type":"boolean","x-mcp-header":"P"}}},"args":{"__proto__":true},"name":" x "}',
  ],
  words: [
    '=?base64?',
    '?=',
    ';q=',
    'charset=',
    '"x-mcp-header":',
    '"type":"string"',
    '"properties":',
    '*/*',
    'localhost',
    '://',
    'aGk=',
  ],
  run(input) {
    const raw = Buffer.from(input).toString('latin1');
    const text = textOf(input);

    const read = decodeHeaderValue(raw);
    if (read !== undefined) {
      same('what was read is read again', decodeHeaderValue(encodeHeaderValue(read)), read);
      holds(read.length <= raw.length, 'a value that grew');
      const [, base64] = /^=\?base64\?(.*)\?=$/s.exec(raw.replace(/^[ \t]+|[ \t]+$/g, '')) ?? [];
      // The platform would read more than the standard allows.
      const strict = base64 === undefined || (/^[A-Za-z0-9+/]*={0,2}$/.test(base64) && base64.length % 4 === 0);
      holds(strict, `a Base64 that is none was read: ${raw}`);
    }
    const sent = encodeHeaderValue(text);
    holds(/^[\x20-\x7e]*$/.test(sent), `a header value that no header can hold: ${JSON.stringify(sent)}`);
    holds(sent === sent.trim(), 'a header value with white space at its edges');
    same('what was sent is read', decodeHeaderValue(sent), text.replace(new RegExp(halves, 'gu'), '\ufffd'));

    const media = parseMediaType(raw);
    if (media !== undefined) {
      same('a media type', parseMediaType(media.essence)?.essence, media.essence);
      isUtf8(media);
    }
    accepts(raw, 'application/json');
    const host = parseHost(raw);
    if (host !== undefined) {
      holds(!/[\s/@?#\\]/.test(host.hostname), `a host of more than a name: ${host.hostname}`);
      isLoopbackName(host.hostname);
    }
    const origin = parseOrigin(raw);
    if (origin !== undefined && (origin.scheme === 'http' || origin.scheme === 'https') && URL.canParse(raw)) {
      const { hostname } = new URL(raw);
      // The platform's idea of the host must never be loopback where ours is not, or the other way round.
      if (isLoopbackName(origin.hostname)) holds(isLoopbackName(hostname), `${raw} is ${hostname} for others`);
    }
    parseTraceparent(raw);
    isTracestate(raw);
    isBaggage(raw);
    mirrored(input);
  },
};

/** What a client mirrors, a server accepts. */
function mirrored(input: Uint8Array): void {
  const given = jsonOf(input)?.value as { schema?: unknown; args?: unknown; name?: unknown } | null | undefined;
  if (typeof given !== 'object' || given === null) return;
  const compiled = compileHeaderIndex(given.schema);
  if ('problem' in compiled) return;
  const name = typeof given.name === 'string' ? given.name : 'tool';
  const request: Request = {
    method: 'tools/call',
    params: { name, arguments: given.args, _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } },
  };
  const sent = new Map<string, string>();
  for (const [key, value] of mirroredHeaders(request, compiled.index)) {
    holds(/^[\x21-\x7e]+$/.test(key) && /^[\x20-\x7e]*$/.test(value), `a header that cannot be sent: ${key}: ${value}`);
    holds(!sent.has(key.toLowerCase()), `a header that is sent twice: ${key}`);
    sent.set(key.toLowerCase(), value);
  }
  const lookup = (key: string): string | undefined => sent.get(key);
  if (!halves.test(name)) same('the name', checkStandardHeaders(request, lookup), undefined);
  same('the version', checkVersionHeader(request, lookup), undefined);
  if (!/\\ud[89a-f]/i.test(textOf(input)))
    same('the arguments', checkParamHeaders(request, lookup, compiled.index), undefined);
}
