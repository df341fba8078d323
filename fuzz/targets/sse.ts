import { type SseEvent, SseReader } from '../../packages/protocol/src/sse.ts';
import { holds, pieces, same, type Target } from '../target.ts';

const LONGEST = 500;

interface Read {
  readonly events: SseEvent[];
  readonly problems: string[];
}

function read(chunks: Iterable<Uint8Array>): Read {
  const events: SseEvent[] = [];
  const problems: string[] = [];
  const reader = new SseReader({
    maxEventLength: LONGEST,
    onEvent: (event) => events.push(event),
    onProblem: (problem) => problems.push(problem),
  });
  for (const chunk of chunks) reader.push(chunk);
  return { events, problems };
}

/** The rules of the HTML Living Standard §9.2.6, written for the eye; undefined where an event is longer than allowed. */
function byTheBook(text: string): SseEvent[] | undefined {
  const events: SseEvent[] = [];
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/);
  // What stands behind the last line end is no line yet.
  const unfinished = lines.pop() as string;
  let data: string[] = [];
  let event = '';
  let id: string | undefined;
  let retry: number | undefined;
  let length = 0;
  for (const line of lines) {
    length += line.length;
    if (length > LONGEST) return undefined;
    if (line === '') {
      if (data.length > 0 || id !== undefined || retry !== undefined) {
        events.push({
          event: event || 'message',
          data: data.join('\n'),
          ...(id === undefined ? undefined : { id }),
          ...(retry === undefined ? undefined : { retry }),
        });
      }
      data = [];
      event = '';
      id = undefined;
      retry = undefined;
      length = 0;
      continue;
    }
    const [, field = '', value = ''] = /^([^:]*)(?:: ?([\s\S]*))?$/.exec(line) ?? [];
    if (line.startsWith(':')) length -= line.length;
    else if (field === 'data') data.push(value);
    else if (field === 'event') event = value;
    else if (field === 'id' && !value.includes('\0')) id = value;
    else if (field === 'retry' && /^\d+$/.test(value)) retry = Number(value);
  }
  return length + unfinished.length > LONGEST ? undefined : events;
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Event streams, however they are cut. */
export const target: Target = {
  name: 'sse',
  seeds: [
    'event: message\ndata: {"jsonrpc":"2.0","id":1,"result":{}}\n\n',
    'event: message\r\ndata: a\r\ndata: b\r\n\r\n:\r\n\r\ndata: c\r\r',
    '\ufeffid: 7\nretry: 500\ndata:\n\n: comment\ndata: x\n\n',
    'data\n\ndata: \n\ndata:  two\nevent\nid\nretry: x\n\n',
    `data: ${'x'.repeat(600)}\n\n`,
    'data: é€😀\n\nunknown: y\n\n',
    `${`: ${'c'.repeat(300)}\n`.repeat(3)}data: x\n\n`,
    `:${'c'.repeat(600)}`,
    Uint8Array.from([0x64, 0x61, 0x74, 0x61, 0x3a, 0xff, 0x0a, 0x0a]),
  ],
  words: ['data:', 'data: ', 'event: ', 'id: ', 'retry: ', ':', '\n\n', '\r\n\r\n', '\r\r', 'endpoint', '500'],
  run(input) {
    const whole = read([input]);
    let text: string | undefined;
    try {
      text = strict.decode(input);
    } catch {
      // Then it breaks there, wherever it is cut.
    }
    const expected = text === undefined ? undefined : byTheBook(text);
    if (expected !== undefined) same('events by the book', whole, { events: expected, problems: [] });
    for (const size of [1, 2, 3, 17]) {
      const cut = read(pieces(input, size));
      if (expected !== undefined) same(`events in pieces of ${size}`, cut, whole);
      else {
        // The end of a text may be missing, which nobody can tell from one that is still to come.
        holds(cut.problems.length <= 1 && whole.problems.length <= 1, 'a stream that breaks twice');
        same('events before it breaks', cut.events.slice(0, whole.events.length), whole.events);
      }
    }
  },
};
