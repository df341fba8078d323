import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { Coverage } from './coverage.ts';
import { mutator } from './mutate.ts';
import { seeded } from './random.ts';
import { bytesOf, type Target } from './target.ts';

/** What a fuzzing thread is given. */
interface Task {
  /** The thread's own script. */
  readonly script: string;
  readonly seed: number;
  readonly seconds: number;
  /** Where inputs are kept that reached something new. */
  readonly corpus: string;
  /** The input that is being run: its length, then its bytes. */
  readonly current: SharedArrayBuffer;
}

/** An input that took longer than this, three times, is a finding. In milliseconds. */
const SLOW = 1_000;
/** How long one finding is made smaller, in milliseconds. */
const SHRINKING = 3_000;
/** Findings of different kinds after which it is enough. */
const ENOUGH = 10;

/** What an error says, without what differs from input to input. */
const kindOf = (error: string): string => error.slice(0, 50);

/** Fuzzes a target. Runs in a thread of its own, whose parent watches it. */
export async function fuzz(target: Target): Promise<void> {
  const { script, seed, seconds, corpus: directory, current } = workerData as Task;
  const [counter, length] = [new Int32Array(current, 0, 1), new Int32Array(current, 4, 1)];
  const bytes = new Uint8Array(current, 8);
  let background: unknown;
  const caught = (reason: unknown): void => {
    background = reason;
  };
  process.on('unhandledRejection', caught).on('uncaughtException', caught);

  /** Runs an input. Returns what it broke. */
  const broken = async (input: Uint8Array): Promise<string | undefined> => {
    bytes.set(input);
    length[0] = input.length;
    Atomics.add(counter, 0, 1);
    background = undefined;
    const started = performance.now();
    try {
      await target.run(input);
    } catch (error) {
      return error instanceof Error ? (error.stack ?? error.message) : String(error);
    }
    if (background !== undefined) {
      return `nobody caught ${background instanceof Error ? background.stack : String(background)}`;
    }
    return performance.now() - started > SLOW ? 'slow' : undefined;
  };

  /** The smallest input that can be found soon that breaks the same. */
  const shrunk = async (input: Uint8Array, kind: string): Promise<Uint8Array> => {
    const until = performance.now() + SHRINKING;
    let best = input;
    for (let size = best.length >> 1; size > 0 && performance.now() < until; size >>= 1) {
      for (let at = 0; at < best.length && performance.now() < until; ) {
        const less = Buffer.concat([best.subarray(0, at), best.subarray(at + size)]);
        const error = await broken(less);
        if (error !== undefined && kindOf(error) === kind) best = less;
        else at += size;
      }
    }
    return best;
  };

  const found = new Set<string>();
  const judge = async (input: Uint8Array): Promise<void> => {
    let error = await broken(input);
    for (let again = 0; again < 2 && error === 'slow'; again++) error = await broken(input);
    if (error === undefined || found.has(kindOf(error))) return;
    found.add(kindOf(error));
    parentPort?.postMessage({ error, input: await shrunk(input, kindOf(error)) });
  };

  mkdirSync(directory, { recursive: true });
  const corpus = target.seeds.map(bytesOf);
  for (const kept of readdirSync(directory).slice(0, 3000)) corpus.push(readFileSync(join(directory, kept)));
  const coverage = new Coverage(pathToFileURL(script).href, readFileSync(script, 'utf8').length);
  /** Finds and keeps those of many that reach something new. */
  const keep = async (inputs: readonly Uint8Array[]): Promise<void> => {
    for (const input of inputs) await broken(input);
    const [only] = inputs;
    if (only === undefined || coverage.fresh(inputs.length === 1) === 0) return;
    if (inputs.length > 1) {
      const half = inputs.length >> 1;
      await keep(inputs.slice(0, half));
      await keep(inputs.slice(half));
      return;
    }
    corpus.push(only);
    writeFileSync(join(directory, createHash('sha1').update(only).digest('hex')), only);
  };
  const mutate = mutator(seeded(seed), target);
  const until = performance.now() + seconds * 1000;
  let runs = 0;
  for (const input of corpus) await judge(input);
  coverage.fresh(true);
  let asking = 0;
  while (performance.now() < until && found.size < ENOUGH) {
    // Asking what is new takes its time: not more than a small part of all.
    const batch: Uint8Array[] = [];
    for (const enough = performance.now() + 5 * asking; batch.length < 50 || performance.now() < enough; ) {
      const input = mutate(corpus);
      batch.push(input);
      await judge(input);
    }
    runs += batch.length;
    const asked = performance.now();
    const fresh = coverage.fresh(false);
    asking = performance.now() - asked;
    if (fresh === 0) continue;
    await keep(batch);
  }
  coverage.end();
  await target.end?.();
  parentPort?.postMessage({ runs, corpus: corpus.length });
}
