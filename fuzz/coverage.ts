import { Session } from 'node:inspector';

interface CoverageRange {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

/** Which characters of one script have ever run, as V8 counts them. */
export class Coverage {
  readonly #session = new Session();
  readonly #file: string;
  readonly #seen: Uint8Array;

  /** @param file the script's URL @param length of its text */
  constructor(file: string, length: number) {
    this.#file = file;
    this.#seen = new Uint8Array(length);
    this.#session.connect();
    this.#post('Profiler.enable');
    this.#post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  /**
   * How much ran since this was last asked that had never run before.
   *
   * @param keep whether that counts as seen from here on
   */
  fresh(keep: boolean): number {
    const { result } = this.#post('Profiler.takePreciseCoverage') as {
      result: { url: string; functions: { ranges: CoverageRange[] }[] }[];
    };
    const script = result.find(({ url }) => url === this.#file);
    if (script === undefined) return 0;
    const now = new Uint8Array(this.#seen.length);
    // Inner ranges come after those they stand in, and say it more exactly.
    for (const { ranges } of script.functions) {
      for (const { startOffset, endOffset, count } of ranges) now.fill(count > 0 ? 1 : 0, startOffset, endOffset);
    }
    let fresh = 0;
    for (let at = 0; at < now.length; at++) {
      if (now[at] === 0 || this.#seen[at] === 1) continue;
      if (keep) this.#seen[at] = 1;
      fresh++;
    }
    return fresh;
  }

  end(): void {
    this.#session.disconnect();
  }

  #post(method: string, params?: object): unknown {
    let answer: unknown;
    // Sessions of the same thread answer at once.
    this.#session.post(method, params, (error: Error | null, given?: object) => {
      if (error !== null) throw error;
      answer = given;
    });
    return answer;
  }
}
