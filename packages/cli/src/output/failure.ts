import { DragomanError, type DragomanErrorCode, errorName, McpError } from '@dragoman/protocol';
import { isObject } from '../arguments/schema-document.ts';
import { ExitCode } from '../exit-code.ts';
import { quoteWord } from '../session/quote-word.ts';

/** What kind of failure it was: one word per exit status. */
type FailureClass =
  | 'tool'
  | 'usage'
  | 'connection'
  | 'authorization'
  | 'protocol'
  | 'input'
  | 'timeout'
  | 'output'
  | 'policy'
  | 'interrupted'
  | 'defect';

/** A failure as it is told, to people and to programs. */
export interface Failure {
  readonly class: FailureClass;
  /** The protocol's number, or this program's word. */
  readonly code: number | string;
  /** The name of the code, such as `HEADER_MISMATCH`. */
  readonly name: string;
  /** In the server's own words, where it is the server's error. */
  readonly message: string;
  readonly data?: unknown;
  readonly httpStatus?: number;
  /** What to do about it. */
  readonly hint?: string;
}

const exits: { readonly [K in FailureClass]: ExitCode } = {
  tool: ExitCode.ToolFailed,
  usage: ExitCode.Usage,
  connection: ExitCode.Connection,
  authorization: ExitCode.Authorization,
  protocol: ExitCode.Protocol,
  input: ExitCode.InputRequired,
  timeout: ExitCode.Timeout,
  output: ExitCode.OutputMismatch,
  policy: ExitCode.Refused,
  interrupted: ExitCode.Interrupted,
  defect: ExitCode.Defect,
};

/** The exit status of a failure. */
export const exitCodeOf = (failure: Failure): ExitCode => exits[failure.class];

const classes: { readonly [K in DragomanErrorCode]: FailureClass } = {
  INVALID_ARGUMENT: 'usage',
  INVALID_SCHEMA: 'usage',
  CONNECTION_FAILED: 'connection',
  CONNECTION_CLOSED: 'connection',
  HTTP_ERROR: 'connection',
  UNAUTHORIZED: 'authorization',
  LEGACY_SERVER: 'protocol',
  VERSION_MISMATCH: 'protocol',
  PROTOCOL_VIOLATION: 'protocol',
  INPUT_LOOP: 'protocol',
  LIMIT_EXCEEDED: 'protocol',
  INPUT_REQUIRED: 'input',
  TIMEOUT: 'timeout',
  OUTPUT_MISMATCH: 'output',
  NOT_CACHED: 'connection',
  REFUSED: 'policy',
  ABORTED: 'interrupted',
};

/** Makes a failure of whatever was thrown. `server` is how the command line names the server, for the remedies. */
export function failureOf(reason: unknown, server = 'SERVER'): Failure {
  if (reason instanceof McpError) return protocolFailure(reason, server);
  if (reason instanceof DragomanError) return localFailure(reason);
  const message = reason instanceof Error ? reason.message : String(reason);
  const hint = 'this is a defect of dragoman; DEBUG=dragoman shows where';
  return { class: 'defect', code: 'DEFECT', name: 'DEFECT', message, hint };
}

function protocolFailure(error: McpError, server: string): Failure {
  const unauthorized = error.httpStatus === 401 || error.httpStatus === 403;
  const hint = unauthorized ? credentials : protocolHint(error, server);
  return {
    class: unauthorized ? 'authorization' : 'protocol',
    code: error.code,
    name: errorName(error.code) ?? 'SERVER_ERROR',
    message: error.message,
    ...(error.data === undefined ? undefined : { data: error.data }),
    ...(error.httpStatus === undefined ? undefined : { httpStatus: error.httpStatus }),
    ...(hint === undefined ? undefined : { hint }),
  };
}

const credentials =
  'give credentials with -H, or keep them off the command line with --header-env Authorization=VARIABLE';

function protocolHint(error: McpError, server: string): string | undefined {
  switch (errorName(error.code)) {
    case 'METHOD_NOT_FOUND':
      return `the server does not have this; dragoman info ${server} shows what it has`;
    case 'HEADER_MISMATCH':
      return 'what is between here and the server may change headers; --trace FILE shows what was sent';
    case 'MISSING_REQUIRED_CLIENT_CAPABILITY':
      return capabilityHint(error);
    case 'UNSUPPORTED_PROTOCOL_VERSION':
      return 'see --protocol';
    default:
      return undefined;
  }
}

/** The options that answer what the server wants to ask. */
function capabilityHint({ data }: McpError): string {
  const asks = 'the server wants to ask for what nobody here answers';
  const required = isObject(data) && isObject(data.requiredCapabilities) ? data.requiredCapabilities : {};
  if (Object.keys(required).length === 0) {
    return `${asks}: see --sampling, --sampling-exec, --root and --capabilities`;
  }
  const answers = [
    ...(required.sampling === undefined ? [] : ['--sampling or --sampling-exec']),
    ...(required.roots === undefined ? [] : ['--root']),
  ].join(', ');
  const declare = `--capabilities ${quoteWord(JSON.stringify(required))} declares it`;
  return `${asks}; ${answers === '' ? declare : `${answers} answers, ${declare}`}`;
}

/** What a program would do about it has no place on a command line; the hint says what to do here. */
function withoutAdvice(message: string): string {
  return message
    .replace(/\. (?:Check that this is the address|Update the server, or connect with|Or go on by hand with) .*$/s, '')
    .replace(/; (?:allow more with "\w+"|give handlers\.\w+ to do it)/g, '')
    .replace(' Give its authority with the `ca` option.', '');
}

function localFailure(error: DragomanError): Failure {
  if (error.code === 'LEGACY_SERVER') {
    const met = strangerFailure(error);
    if (met !== undefined) return met;
  }
  const status = error.details?.status;
  const hint = localHint(error);
  return {
    class: classes[error.code],
    code: error.code,
    name: error.code,
    message: withoutAdvice(error.message),
    ...(error.details === undefined ? undefined : { data: error.details }),
    ...(typeof status === 'number' ? { httpStatus: status } : undefined),
    ...(hint === undefined ? undefined : { hint }),
  };
}

const legacy =
  'older revisions are not spoken yet; where the server does speak 2026-07-28, --protocol 2026-07-28 skips the question';

const timeOptions = new Map<unknown, string>([
  ['timeout', '--timeout'],
  ['ackTimeout', '--timeout'],
  ['maxTime', '--max-time'],
  ['startTimeout', '--connect-timeout'],
]);

/** What looks like an older server, and is more often none at all: a wrong address, or a program that says nothing. */
function strangerFailure(error: DragomanError): Failure | undefined {
  const { cause } = error;
  if (!(cause instanceof DragomanError)) return undefined;
  if (cause.code === 'TIMEOUT') {
    const failure = localFailure(cause);
    const hint = `is it an MCP server? If it starts slowly, --connect-timeout allows more; ${legacy}`;
    return { ...failure, hint };
  }
  if (cause.code !== 'HTTP_ERROR') return undefined;
  const url = String(cause.details?.url);
  if (cause.details?.status !== 404 || !URL.canParse(url)) {
    return { ...localFailure(cause), class: 'protocol', code: error.code, name: error.code, hint: legacy };
  }
  const { pathname, origin } = new URL(url);
  const hint = pathname === '/mcp' ? 'check the address' : `check the address; many servers are at ${origin}/mcp`;
  return { ...localFailure(cause), class: 'protocol', message: `there is no MCP endpoint at ${url} (HTTP 404)`, hint };
}

function localHint(error: DragomanError): string | undefined {
  if (typeof error.details?.hint === 'string') return error.details.hint;
  if (/CERT|UNABLE_TO_(?:VERIFY|GET)/.test(String(error.details?.code)))
    return '--ca FILE trusts an authority of your own';
  switch (error.code) {
    case 'UNAUTHORIZED':
      return credentials;
    case 'TIMEOUT':
      return `${timeOptions.get(error.details?.option) ?? '--timeout, --max-time or --connect-timeout'} allows more`;
    case 'LEGACY_SERVER':
      return legacy;
    default:
      return undefined;
  }
}
