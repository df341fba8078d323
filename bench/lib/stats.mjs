export const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  const n = sorted.length;
  return n % 2 ? sorted[(n - 1) / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
};
export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Per implementation: medians, best rounds, and ratios to the first one, taken within each round. */
export function summarize(impls, rows) {
  const base = rows[impls[0]];
  const out = {};
  for (const i of impls) {
    const all = (k, of = rows[i]) => of.map((x) => x[k]);
    const mid = (k) => median(all(k));
    const min = (k, of) => Math.min(...all(k, of));
    const max = (k, of) => Math.max(...all(k, of));
    const ratio = (k) => median(rows[i].map((x, r) => x[k] / base[r][k]));
    out[i] = {
      rps: mid('rps'),
      rpsBest: max('rps'),
      ratio: ratio('rps'),
      ratioBest: max('rps') / max('rps', base),
      p50: mid('p50'),
      p50Best: min('p50'),
      p99: mid('p99'),
      p99Best: min('p99'),
      cpu: mid('cpu'),
      cpuBest: min('cpu'),
      cpuRatio: ratio('cpu'),
      cpuRatioBest: min('cpu') / min('cpu', base),
    };
  }
  return out;
}
