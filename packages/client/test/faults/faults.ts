/** How a direction ends: both sides closed in order, both reset, only this direction closed, or silence. */
export type Act = 'fin' | 'rst' | 'half' | 'stall';

/** Turns the bytes of one direction into what is passed on, and says how it ends where it does not by itself. */
export type Fault = (bytes: AsyncIterable<Buffer>) => AsyncIterable<Buffer | Act>;

/** Random numbers that are the same every time (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Lets so many bytes through. */
export const cutAt = (length: number, how: Act): Fault =>
  async function* (bytes) {
    let left = length;
    if (left > 0) {
      for await (const chunk of bytes) {
        if (chunk.length >= left) {
          yield chunk.subarray(0, left);
          yield how;
          return;
        }
        left -= chunk.length;
        yield chunk;
      }
      return;
    }
    yield how;
  };

/** Lets everything through up to the end of the n-th appearance of some text, and `beyond` bytes more. */
export const cutAfter = (text: string, how: Act, { beyond = 0, nth = 1 } = {}): Fault =>
  async function* (bytes) {
    const wanted = Buffer.from(text);
    let held = Buffer.alloc(0);
    let passed = 0;
    for await (const chunk of bytes) {
      held = Buffer.concat([held, chunk]);
      let end = -1;
      for (let found = 0, from = 0; found < nth; found++) {
        const at = held.indexOf(wanted, from);
        if (at < 0) break;
        from = at + wanted.length;
        if (found === nth - 1) end = from + beyond;
      }
      if (end >= 0 && held.length >= end) {
        if (end > passed) yield held.subarray(passed, end);
        yield how;
        return;
      }
      yield chunk;
      passed = held.length;
    }
  };

/** Passes everything on in pieces of a size. */
export const split = (size: number): Fault =>
  async function* (bytes) {
    for await (const chunk of bytes) {
      for (let at = 0; at < chunk.length; at += size) yield chunk.subarray(at, at + size);
    }
  };

/** Passes everything on in pieces of random sizes, and joins pieces at random. */
export const shred = (random: () => number, largest = 64): Fault =>
  async function* (bytes) {
    for await (const chunk of bytes) {
      for (let at = 0; at < chunk.length; ) {
        const size = 1 + Math.floor(random() * largest);
        yield chunk.subarray(at, at + size);
        at += size;
      }
    }
  };

/** Sends a byte twice. */
export const doubleByte = (at: number): Fault =>
  async function* (bytes) {
    let passed = 0;
    for await (const chunk of bytes) {
      const index = at - passed;
      passed += chunk.length;
      yield index >= 0 && index < chunk.length
        ? Buffer.concat([chunk.subarray(0, index + 1), chunk.subarray(index)])
        : chunk;
    }
  };

/** Sends every chunk, which is a whole message where the peer writes whole messages, twice: in one piece or in two. */
export const repeat = (pieces: 1 | 2): Fault =>
  async function* (bytes) {
    for await (const chunk of bytes) {
      if (pieces === 1) yield Buffer.concat([chunk, chunk]);
      else {
        yield chunk;
        yield chunk;
      }
    }
  };

/** Sends something of its own in front of the first byte, or in front of every chunk. */
export const inject = (text: string, always = false): Fault =>
  async function* (bytes) {
    let due = true;
    for await (const chunk of bytes) {
      yield due ? Buffer.concat([Buffer.from(text), chunk]) : chunk;
      due = always;
    }
  };

/** Turns one bit of a byte. */
export const flip = (at: number, bit: number): Fault =>
  async function* (bytes) {
    let passed = 0;
    for await (const chunk of bytes) {
      const index = at - passed;
      passed += chunk.length;
      if (index < 0 || index >= chunk.length) {
        yield chunk;
        continue;
      }
      const spoilt = Buffer.from(chunk);
      spoilt[index] = (spoilt[index] as number) ^ (1 << bit);
      yield spoilt;
    }
  };

/** Takes a stream of lines apart and passes on what a function makes of each batch of so many. */
const lines = (count: number, arrange: (batch: Buffer[]) => Buffer[]): Fault =>
  async function* (bytes) {
    let rest = Buffer.alloc(0);
    let batch: Buffer[] = [];
    for await (const chunk of bytes) {
      rest = Buffer.concat([rest, chunk]);
      for (let end = rest.indexOf(0x0a); end >= 0; end = rest.indexOf(0x0a)) {
        batch.push(rest.subarray(0, end + 1));
        rest = rest.subarray(end + 1);
        if (batch.length < count) continue;
        yield Buffer.concat(arrange(batch));
        batch = [];
      }
    }
    yield Buffer.concat([...arrange(batch), rest]);
  };

/** Holds lines back until there are so many, and sends them in one piece. */
export const mergeLines = (count: number): Fault => lines(count, (batch) => batch);

/** Holds lines back until there are so many, and sends them in another order. */
export const reorderLines = (count: number, random: () => number): Fault =>
  lines(count, (batch) => {
    for (let at = batch.length - 1; at > 0; at--) {
      const other = Math.floor(random() * (at + 1));
      [batch[at], batch[other]] = [batch[other] as Buffer, batch[at] as Buffer];
    }
    return batch;
  });

/** Sends each line as often as a function says. */
export const copyLines = (times: (line: string) => number): Fault =>
  lines(1, (batch) => batch.flatMap((line) => Array.from({ length: times(line.toString()) }, () => line)));

/** A gate that holds back everything until it is opened. */
export function gate(): {
  readonly fault: Fault;
  open(): void /** Resolves when something waits. */;
  readonly reached: Promise<void>;
} {
  let open!: () => void;
  let reach!: () => void;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  return {
    open,
    reached,
    fault: async function* (bytes) {
      for await (const chunk of bytes) {
        reach();
        await opened;
        yield chunk;
      }
    },
  };
}

/** One fault after the other. */
export const both = (first: Fault, then: Fault): Fault =>
  async function* (bytes) {
    let act: Act | undefined;
    const rest = async function* (): AsyncIterable<Buffer> {
      for await (const item of first(bytes)) {
        if (typeof item === 'string') {
          act = item;
          return;
        }
        yield item;
      }
    };
    yield* then(rest());
    if (act !== undefined) yield act;
  };
