export function table(head, rows) {
  console.log(`| ${head.join(' | ')} |`);
  console.log(`|${head.map(() => '---').join('|')}|`);
  for (const r of rows) console.log(`| ${r.join(' | ')} |`);
}

/** The table of a summary: throughput, latency and CPU, each with the best round and the ratio to the first. */
export function printSummary(impls, summary, unit = 'req') {
  const f = (x, digits = 0) => x.toFixed(digits);
  const pair = (x, key, digits) => `${f(x[key], digits)} (${f(x[`${key}Best`], digits)})`;
  const head = ['impl', `${unit}/s median (best)`, 'x first median (best)', 'p50 µs', 'p99 µs'];
  table(
    [...head, `CPU µs/${unit} median (best)`, 'CPU x first median (best)'],
    impls.map((i) => {
      const x = summary[i];
      return [
        i,
        pair(x, 'rps'),
        pair(x, 'ratio', 3),
        pair(x, 'p50'),
        pair(x, 'p99'),
        pair(x, 'cpu'),
        pair(x, 'cpuRatio', 1),
      ];
    }),
  );
}
