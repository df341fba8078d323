// Bare newline-JSON process: split lines, JSON.parse, JSON.stringify a constant reply.
import { lineSplitter } from '../../lib/lines.mjs';
import { listOf, resultFor } from './replies.mjs';

const result = resultFor(listOf(Number(process.env.BENCH_TOOLS ?? 0)));
process.stdin.setEncoding('utf8');
process.stdin.on(
  'data',
  lineSplitter((line) => {
    const msg = JSON.parse(line);
    if (msg.id === undefined) return;
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: msg.id, result: result(msg) })}\n`);
  }),
);
process.stdin.on('end', () => process.exit(0));
