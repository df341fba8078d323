/** Something that reads what a peer sends, with what must hold whatever that is. */
export interface Target {
  /** Its name on the command line. */
  readonly name: string;
  /** Inputs to begin with: good ones, and known bad ones. */
  readonly seeds: readonly (string | Uint8Array)[];
  /** Words that mean something to it, for the mutator. */
  readonly words: readonly string[];
  /** Puts right what frames an input, such as its length, so that what is in the frame is read. */
  mend?(input: Uint8Array): Uint8Array;
  /** Takes one input; throws where something does not hold. */
  run(input: Uint8Array): void | Promise<void>;
  /** Frees what {@link run} shares between inputs. */
  end?(): Promise<void>;
}

/** Thrown where something does not hold. */
export class Broken extends Error {
  override name = 'Broken';
}

/** Says what does not hold, with both values. */
export function same(what: string, actual: unknown, expected: unknown): void {
  const [one, other] = [text(actual), text(expected)];
  if (one !== other) throw new Broken(`${what}: ${shortened(one)} instead of ${shortened(other)}`);
}

/** Says what does not hold. */
export function holds(condition: boolean, what: string): void {
  if (!condition) throw new Broken(what);
}

const text = (value: unknown): string => JSON.stringify(value) ?? String(value);
const shortened = (value: string): string => (value.length > 300 ? `${value.slice(0, 300)}…` : value);

const lenient = new TextDecoder('utf-8', { ignoreBOM: true });

/** An input as text, whatever it is. */
export const textOf = (input: Uint8Array): string => lenient.decode(input);

/** A text as an input. */
export const bytesOf = (seed: string | Uint8Array): Uint8Array =>
  typeof seed === 'string' ? new TextEncoder().encode(seed) : seed;

/** An input as JSON; undefined for what is none. */
export function jsonOf(input: Uint8Array): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(textOf(input)) };
  } catch {
    return undefined;
  }
}

/** The same bytes in pieces of a size. */
export function* pieces(input: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < input.length; at += size) yield input.slice(at, at + size);
}

/** An HTTP message with the length that its body has. */
export function mendLength(input: Uint8Array): Uint8Array {
  const text = Buffer.from(input).toString('latin1');
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return input;
  const head = text.slice(0, end).replace(/content-length: *\d+/i, `Content-Length: ${text.length - end - 4}`);
  return Buffer.from(head + text.slice(end), 'latin1');
}
