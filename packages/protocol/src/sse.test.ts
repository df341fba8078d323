import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SSE_KEEP_ALIVE, type SseEvent, SseReader, sseEvent } from './sse.ts';

function read(text: string | Uint8Array, size = Number.POSITIVE_INFINITY, maxEventLength?: number) {
  const whole = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  const events: SseEvent[] = [];
  const problems: string[] = [];
  const reader = new SseReader({
    maxEventLength,
    onEvent: (event) => events.push(event),
    onProblem: (p) => problems.push(p),
  });
  for (let at = 0; at < whole.length; at += size) reader.push(whole.slice(at, at + size));
  return { events, problems };
}
const sizes = [1, 2, 3, 7, Number.POSITIVE_INFINITY];

test.each(['\n', '\r\n', '\r'])('[S01][T087] lines end in %j', (end) => {
  const text = ['event: message', 'data: {"a":1}', '', 'data: two', 'data: lines', '', ''].join(end);
  for (const size of sizes) {
    expect(read(text, size).events).toEqual([
      { event: 'message', data: '{"a":1}' },
      { event: 'message', data: 'two\nlines' },
    ]);
  }
});

test('[S01] line ends mixed in one stream', () => {
  for (const size of sizes) {
    expect(read('data: a\r\ndata: b\rdata: c\n\r\ndata: d\r\r', size).events.map((event) => event.data)).toEqual([
      'a\nb\nc',
      'd',
    ]);
  }
});

test('[S03] the order of fields inside an event does not matter', () => {
  expect(read('data: /x\r\nevent: endpoint\r\n\r\n').events).toEqual([{ event: 'endpoint', data: '/x' }]);
});

test('[S05] a priming event has an id and empty data', () => {
  expect(read('id: 7\nretry: 500\ndata:\n\n').events).toEqual([{ event: 'message', data: '', id: '7', retry: 500 }]);
});

test('[HTTP-24] comments are passed over and count for no limit', () => {
  expect(read(`${SSE_KEEP_ALIVE.repeat(1000)}: hello\ndata: x\n\n`, 5, 50)).toEqual({
    events: [{ event: 'message', data: 'x' }],
    problems: [],
  });
});

test('[T087] a byte order mark is dropped, an event without its blank line is none', () => {
  expect(read('\ufeffdata: x\n\ndata: lost\n').events).toEqual([{ event: 'message', data: 'x' }]);
});

test('[T087] one space after the colon is dropped, a field without a colon is empty', () => {
  expect(read('data:  x\n\ndata\n\nunknown: y\nretry: soon\ndata:z\n\n').events.map((event) => event.data)).toEqual([
    ' x',
    '',
    'z',
  ]);
});

test('[Z10] an event without end breaks the stream at the cap', () => {
  for (const text of [`data: ${'x'.repeat(500)}`, 'data: x\n'.repeat(500), `event: ${'x'.repeat(500)}`]) {
    for (const size of [3, 1000]) expect(read(text, size, 100)).toEqual({ events: [], problems: ['too long'] });
  }
});

test('[T01] bytes that are not UTF-8 break the stream rather than corrupt a message', () => {
  const text = new Uint8Array([...new TextEncoder().encode('data: a\n\ndata: '), 0xff, 0x0a, 0x0a]);
  expect(read(text, 1)).toEqual({ events: [{ event: 'message', data: 'a' }], problems: ['not UTF-8'] });
});

test('what is written is read', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.integer({ min: 1, max: 20 }), (values, size) => {
      const stream = values.map((value) => sseEvent(JSON.stringify(value))).join(SSE_KEEP_ALIVE);
      expect(read(stream, size).events.map((event) => JSON.parse(event.data))).toEqual(
        JSON.parse(JSON.stringify(values)),
      );
    }),
  );
});
