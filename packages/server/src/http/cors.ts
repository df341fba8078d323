import { DragomanError, MirrorHeaderKey } from '@dragoman/protocol';

/** What browsers are told about an endpoint (Fetch standard, "CORS protocol"). */
export interface CorsOptions {
  /** Request headers that pages may send besides those of MCP, such as those of a gateway in front. */
  readonly allowHeaders?: readonly string[] | undefined;
  /** Response headers that pages may read besides those of MCP. */
  readonly exposeHeaders?: readonly string[] | undefined;
  /** Seconds for which a browser may remember a preflight. Default 7,200. */
  readonly maxAge?: number | undefined;
}

/** Headers as name and value, in pairs. */
export type HeaderPairs = readonly (readonly [name: string, value: string])[];

// By name: `*` never stands for Authorization, and for nothing at all in requests with credentials.
const requestHeaders = [
  'content-type',
  'accept',
  'authorization',
  MirrorHeaderKey.protocolVersion,
  MirrorHeaderKey.method,
  MirrorHeaderKey.name,
  'mcp-session-id',
  'last-event-id',
];
const responseHeaders = ['www-authenticate', MirrorHeaderKey.protocolVersion, 'mcp-session-id', 'retry-after'];
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

const isParamHeader = (name: string): boolean =>
  name.startsWith(MirrorHeaderKey.param) && name.length > MirrorHeaderKey.param.length && headerName.test(name);

/** Answers browsers of allowed origins. Whether an origin is allowed is the host guard's decision, made before. */
export class Cors {
  readonly #methods: string;
  readonly #allowed: string;
  readonly #exposed: string;
  readonly #maxAge: string;

  /** @throws DragomanError INVALID_ARGUMENT for what is no name of a header, and no number of seconds */
  constructor(options: CorsOptions, methods: readonly string[]) {
    const { maxAge } = options;
    checkNames('allowHeaders', options.allowHeaders);
    checkNames('exposeHeaders', options.exposeHeaders);
    if (maxAge !== undefined && !(Number.isSafeInteger(maxAge) && maxAge >= 0)) {
      throw new DragomanError('INVALID_ARGUMENT', `cors.maxAge must be a whole number of seconds, not ${maxAge}`);
    }
    this.#methods = methods.join(', ');
    this.#allowed = [...requestHeaders, ...(options.allowHeaders ?? [])].join(', ');
    this.#exposed = [...responseHeaders, ...(options.exposeHeaders ?? [])].join(', ');
    this.#maxAge = String(maxAge ?? 7_200);
  }

  /** Headers of every answer to a page. */
  headers(origin: string): HeaderPairs {
    return [
      ['access-control-allow-origin', origin],
      ['access-control-expose-headers', this.#exposed],
      ['vary', 'Origin'],
    ];
  }

  /**
   * Headers of the answer to a preflight. `Mcp-Param-*` names depend on the tools, so those that are asked for are
   * granted where they are well-formed.
   */
  preflight(origin: string, asked: string | undefined, privateNetwork: boolean): HeaderPairs {
    const params = (asked ?? '')
      .toLowerCase()
      .split(',')
      .map((name) => name.trim())
      .filter(isParamHeader);
    const headers: [string, string][] = [
      ['access-control-allow-origin', origin],
      ['access-control-allow-methods', this.#methods],
      ['access-control-allow-headers', [this.#allowed, ...params].join(', ')],
      ['access-control-max-age', this.#maxAge],
      ['vary', 'Origin, Access-Control-Request-Headers'],
    ];
    if (privateNetwork) headers.push(['access-control-allow-private-network', 'true']);
    return headers;
  }
}

function checkNames(option: string, names: readonly string[] | undefined): void {
  if (names === undefined) return;
  if (!Array.isArray(names)) throw new DragomanError('INVALID_ARGUMENT', `cors.${option} must be a list of names`);
  const wrong = names.find((name) => typeof name !== 'string' || !headerName.test(name));
  if (wrong === undefined) return;
  throw new DragomanError('INVALID_ARGUMENT', `cors.${option}: ${JSON.stringify(wrong)} is no name of a header`);
}
