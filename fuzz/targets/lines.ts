import { LineReader } from '../../packages/protocol/src/framing.ts';
import { pieces, same, type Target } from '../target.ts';

const LONGEST = 200;

function read(chunks: Iterable<Uint8Array>): string[] {
  const told: string[] = [];
  const reader = new LineReader({
    maxBytes: LONGEST,
    onLine: (line) => told.push(`line ${line}`),
    onProblem: (problem) => told.push(problem),
  });
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
  return told;
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The rules of stdio's framing, written for the eye. */
function byTheBook(input: Uint8Array): string[] {
  const told: string[] = [];
  let from = 0;
  while (from <= input.length) {
    const at = input.indexOf(0x0a, from);
    const end = at < 0 ? input.length : at;
    const bytes = input.subarray(from, end);
    from = end + 1;
    if (bytes.length > LONGEST) {
      told.push('too long');
      continue;
    }
    try {
      const line = strict.decode(bytes).replace(/\r$/, '');
      if (line !== '') told.push(`line ${line}`);
    } catch {
      told.push('not UTF-8');
    }
  }
  return told;
}

/** Newline-delimited messages, however they are cut. */
export const target: Target = {
  name: 'lines',
  seeds: [
    '{"jsonrpc":"2.0","id":1,"method":"ping"}\n{"jsonrpc":"2.0","id":2,"method":"ping"}\n',
    'é€😀\r\n\r\n\n\0\n',
    `${'x'.repeat(201)}\n${'y'.repeat(200)}\n`,
    Uint8Array.from([0xff, 0x0a, 0x61, 0x0a, 0xc3]),
    '\ufeffbom\n\ufeff\n',
  ],
  words: ['\n', '\r\n', '\n\n', 'x'.repeat(150)],
  run(input) {
    const expected = byTheBook(input);
    same('lines at once', read([input]), expected);
    for (const size of [1, 2, 3, 64]) same(`lines in pieces of ${size}`, read(pieces(input, size)), expected);
  },
};
