import type { ReplyInfo, RoundReport, TraceEvent } from '@dragoman/client';
import { type InputRequests, type InputResponses, type JsonObject, MetaKey, type Progress } from '@dragoman/protocol';
import { isObject } from '../arguments/schema-document.ts';
import type { EnvelopeMeta } from '../output/envelope.ts';
import type { CacheView, RoundView } from '../output/views.ts';

const sentId = /^\{"jsonrpc":"2\.0","id":("(?:[^"\\]|\\.)*"|-?\d+)/;

/** Where the answer to a question of a round came from. */
type Origin = (round: number, key: string) => string | undefined;

/** Without the members that have no value. */
const present = <T extends object>(value: T): Question =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as unknown as Question;

type Question = RoundView['questions'][number];

/** Gathers what is told about an answer besides the answer. */
export class Facts {
  readonly #started = performance.now();
  readonly rounds: RoundView[] = [];
  requests = 0;
  cache: CacheView | undefined;
  servedBy: { name: string; version: string } | undefined;
  saved: string[] = [];
  counts: ReadonlyMap<string, number> | undefined;
  #requestId: string | number | undefined;
  #progress: { count: number; last: unknown } | undefined;

  /** Takes a message that was sent; what it needs of it is its id. */
  traced(event: TraceEvent): void {
    if (event.type !== 'message' || event.direction !== 'sent') return;
    const id = sentId.exec(event.text)?.[1];
    if (id !== undefined) {
      this.#requestId = JSON.parse(id) as string | number;
      this.requests += 1;
    }
  }

  progressed(progress: Progress): void {
    this.#progress = { count: (this.#progress?.count ?? 0) + 1, last: progress };
  }

  replied(reply: ReplyInfo): void {
    if (reply.cache === undefined) return;
    const { status, ageMs, ttlMs, scope } = reply.cache;
    this.cache = { status, ageMs: Math.round(ageMs), freshMs: Math.max(0, Math.round(ttlMs - ageMs)), scope };
  }

  /** @param origin where the answer to a question came from */
  asked(report: RoundReport, origin: Origin): void {
    const questions = report.inputs.map((input) => ({ ...input, by: origin(report.round, input.key) }));
    this.rounds.push({ round: this.rounds.length + 1, questions: questions.map(present) });
  }

  /** The questions that a call stopped at, which were answered before it was gone on with. */
  resumed(asked: InputRequests, responses: InputResponses, origin: Origin): void {
    const questions = Object.entries(asked).map(([key, { method, params }]) => {
      const response = responses[key];
      const mode = method === 'elicitation/create' ? (params?.mode ?? 'form') : undefined;
      const outcome = response !== undefined && 'action' in response ? String(response.action) : 'answered';
      return present({ key, method, mode, outcome, by: origin(0, key) ?? '--continuation' });
    });
    if (questions.length > 0) this.rounds.push({ round: 1, questions });
  }

  /** Takes note of who a result says that it is from. */
  answered(result: JsonObject): void {
    const info = isObject(result._meta) ? result._meta[MetaKey.serverInfo] : undefined;
    if (!isObject(info) || typeof info.name !== 'string') return;
    this.servedBy = { name: info.name, version: typeof info.version === 'string' ? info.version : '' };
  }

  get durationMs(): number {
    return Math.round(performance.now() - this.#started);
  }

  /** As it stands in the envelope. */
  meta(warnings: readonly string[]): EnvelopeMeta {
    return {
      durationMs: this.durationMs,
      ...(this.cache === undefined ? undefined : { cache: this.cache }),
      ...(this.rounds.length === 0 ? undefined : { rounds: this.rounds }),
      ...(this.#progress === undefined ? undefined : { progress: this.#progress }),
      ...(warnings.length === 0 ? undefined : { warnings }),
      ...(this.servedBy === undefined ? undefined : { servedBy: this.servedBy }),
      ...(this.#requestId === undefined ? undefined : { requestId: this.#requestId }),
      ...(this.counts === undefined ? undefined : { counts: Object.fromEntries(this.counts) }),
      ...(this.saved.length === 0 ? undefined : { saved: this.saved }),
    };
  }
}
