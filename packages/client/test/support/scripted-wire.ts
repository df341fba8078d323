import { type DragomanError, type ExchangeIO, MODERN, type Request, type Result } from '@dragoman/protocol';
import type { CloseReason, Wire, WireObserver } from '../../src/index.ts';

/** What a scripted server does with a request. */
export type Answering = (request: Request, io: ExchangeIO) => Result | Promise<Result>;

/** A request that reached the far side, without what every request carries. */
export interface Seen {
  readonly method: string;
  readonly params: { [member: string]: unknown };
  readonly meta: { [member: string]: unknown };
}

let count = 0;

/** A wire whose far side is a function, and which remembers what reached it. */
export class ScriptedWire implements Wire {
  readonly kind: Wire['kind'];
  readonly target: string;
  readonly identity: string;
  readonly closed: Promise<CloseReason>;
  readonly seen: Seen[] = [];
  readonly observers = new Set<WireObserver>();
  closes = 0;
  #resolveClosed: (reason: CloseReason) => void = () => {};
  answering: Answering;

  constructor(answering: Answering, kind: Wire['kind'] = 'http', identity = `scripted:${++count}`) {
    this.answering = answering;
    this.kind = kind;
    this.target = kind === 'http' ? 'http://scripted.test/mcp' : 'scripted';
    this.identity = identity;
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
  }

  /** The methods that reached the far side. */
  get methods(): string[] {
    return this.seen.map(({ method }) => method);
  }

  readonly exchange = async (request: Request, io: ExchangeIO): Promise<Result> => {
    const { _meta, ...params } = request.params;
    this.seen.push({ method: request.method, params, meta: _meta ?? {} });
    return this.answering(request, io);
  };

  observe(observer: WireObserver): () => void {
    this.observers.add(observer);
    return () => this.observers.delete(observer);
  }

  /** The far side goes away. */
  lose(error?: DragomanError): void {
    this.#resolveClosed({ by: 'peer', error });
  }

  async close(): Promise<void> {
    this.closes++;
    this.#resolveClosed({ by: 'local' });
  }
}

/** What a modern server says of itself. */
export const discovery: Result = {
  resultType: 'complete',
  supportedVersions: [MODERN],
  capabilities: { tools: {} },
  instructions: 'Be kind.',
  ttlMs: 0,
  cacheScope: 'private',
  _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'scripted', version: '1.0.0' } },
};

/** A tool's result. */
export const text = (words: string): Result => ({
  resultType: 'complete',
  content: [{ type: 'text', text: words }],
});

/** An answer that never comes, unless its signal aborts. */
export const silence = (_request: Request, io: ExchangeIO): Promise<Result> =>
  new Promise((_, reject) => {
    io.signal.addEventListener('abort', () => reject(io.signal.reason));
  });
