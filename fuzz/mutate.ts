import { mutateJson } from './mutate-json.ts';
import { bytesOf, type Target, textOf } from './target.ts';

/** Bytes and texts that break things anywhere. */
const everywhere = [
  ...['\0', '\n', '\r', '\r\n', '\r\r', '\ufeff', '\u2028', '\ud7ff', '\ufffd', ' ', '\t', '"', '\\', '\\u0000'],
  ...[
    '\\ud800',
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    '{}',
    '[]',
    'null',
    'true',
    '0',
    '-0',
    '1e400',
    '9007199254740993',
    '-1',
  ],
  ...[
    '""',
    '__proto__',
    'constructor',
    'toString',
    '%',
    '%00',
    '=',
    '&',
    ';',
    '?',
    '#',
    '../',
    '\u202e',
    '😀',
    'é',
    'x',
  ],
];
const broken = [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf0, 0x9f, 0x98], [0x80], [0xef, 0xbb, 0xbf]];

/** The longest input that is made. */
const LONGEST = 16 * 1024;

/** Makes new inputs of old ones. */
export function mutator(
  random: () => number,
  { words, mend }: Pick<Target, 'words' | 'mend'>,
): (corpus: readonly Uint8Array[]) => Uint8Array {
  const parts = [...everywhere, ...words].map(bytesOf).concat(broken.map((bytes) => Uint8Array.from(bytes)));
  const below = (limit: number): number => Math.floor(random() * limit);
  const any = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const spliced = (input: Uint8Array, at: number, drop: number, put: Uint8Array): Uint8Array =>
    Buffer.concat([input.subarray(0, at), put, input.subarray(at + drop)]);
  /** A place and a length that fit, short ones more often. */
  const range = (input: Uint8Array): [at: number, length: number] => {
    const at = below(input.length + 1);
    return [at, Math.min(input.length - at, random() < 0.7 ? below(8) : below(input.length + 1))];
  };

  const once = (input: Uint8Array, corpus: readonly Uint8Array[]): Uint8Array => {
    const [at, length] = range(input);
    switch (below(11)) {
      case 0: {
        if (input.length === 0) return input;
        const copy = Uint8Array.from(input);
        const place = below(input.length);
        copy[place] = (copy[place] as number) ^ (1 << below(8));
        return copy;
      }
      case 1:
        return spliced(input, at, 0, Uint8Array.of(below(256)));
      case 2:
        return spliced(input, at, length, new Uint8Array(0));
      case 3:
        return spliced(input, at, 0, any(parts));
      case 4:
        return spliced(input, at, length, any(parts));
      case 5:
        return spliced(input, at, 0, input.subarray(at, at + length));
      case 6: {
        // The same again and again: depth, width, length.
        const piece = length > 0 && random() < 0.5 ? input.subarray(at, at + length) : any(parts);
        const times = Math.min(
          random() < 0.9 ? below(20) : below(5000),
          Math.ceil(LONGEST / Math.max(1, piece.length)),
        );
        return spliced(input, at, 0, Buffer.concat(Array.from({ length: times }, () => piece)));
      }
      case 7: {
        const other = any(corpus);
        const [from, count] = range(other);
        return spliced(input, at, length, other.subarray(from, from + count));
      }
      case 8: {
        const other = any(corpus);
        return Buffer.concat([input.subarray(0, at), other.subarray(below(other.length + 1))]);
      }
      case 9: {
        // A piece changes its place.
        const piece = input.slice(at, at + length);
        const rest = spliced(input, at, length, new Uint8Array(0));
        return spliced(rest, below(rest.length + 1), 0, piece);
      }
      default:
        return input.subarray(0, at);
    }
  };

  /** Changes a line that is JSON, so that it stays JSON. */
  const within = (input: Uint8Array, corpus: readonly Uint8Array[]): Uint8Array => {
    const lines = textOf(input).split('\n');
    const at = below(lines.length);
    const changed = mutateJson(random, lines[at] as string, any(textOf(any(corpus)).split('\n')));
    if (changed === undefined) return once(input, corpus);
    lines[at] = changed;
    return bytesOf(lines.join('\n'));
  };

  return (corpus) => {
    const change = random() < 0.5 ? within : once;
    let input = any(corpus);
    for (let times = 1 + below(4); times > 0; times--) input = change(input, corpus);
    if (input.length > LONGEST) input = input.subarray(0, LONGEST);
    return mend !== undefined && random() < 0.5 ? mend(input) : input;
  };
}
