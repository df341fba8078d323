// On a shared machine: QUIET=0.3 waits, within patience, until others use less than 30 % of the cores.
import { readFileSync } from 'node:fs';

const read = () => {
  const f = readFileSync('/proc/stat', 'latin1').split('\n')[0].trim().split(/\s+/).slice(1).map(Number);
  return { idle: f[3] + f[4], total: f.reduce((a, b) => a + b, 0) };
};
export async function busy(ms = 500) {
  const a = read();
  await new Promise((r) => setTimeout(r, ms));
  const b = read();
  return 1 - (b.idle - a.idle) / (b.total - a.total);
}
let waited = 0;
/** Resolves once the idle share over 500 ms is high enough; total patience is shared by the whole run. */
export async function quiet({ max = Number(process.env.QUIET ?? 0), patienceS = 120 } = {}) {
  if (!max) return 0; // off by default: interleaving, medians and CPU time carry the comparison
  for (;;) {
    const b = await busy();
    if (b <= max || waited > patienceS) return b;
    waited += 1;
    await new Promise((r) => setTimeout(r, 500));
  }
}
