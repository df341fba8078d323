// npm run bench -- NAME [impl,impl,…|-] [key=value …]     see README.md
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { ensureBuilt, ensureInstalled } from '../scripts/ensure.mjs';
import { main, StepFailed } from '../scripts/workspace.mjs';

/** What `all` runs, one after another. */
const ALL = [
  ['http'],
  ['http', '-', 'call=sum', 'concs=16', 'tag=sum'],
  ['stdio'],
  ['client'],
  ['client', '-', 'call=sum', 'tag=sum'],
  ['rss'],
  ['payload'],
  ['clientload'],
  ['listen'],
  ['cold'],
  ['size'],
];

const known = readdirSync(new URL('./benches/', import.meta.url)).map((file) => file.replace(/\.mjs$/, ''));

async function runOne([name, implementations, ...options]) {
  if (!known.includes(name)) {
    throw new StepFailed(`usage: npm run bench -- ${known.join('|')}|all [impl,impl,…|-] [key=value …]`);
  }
  const settings = Object.fromEntries(
    options.map((option) => {
      const [key, value] = option.split('=');
      return [key, Number.isNaN(Number(value)) ? value : Number(value)];
    }),
  );
  const { default: run } = await import(`./benches/${name}.mjs`);
  const impls = implementations && implementations !== '-' ? implementations.split(',') : undefined;
  const load = loadavg().map((x) => x.toFixed(2));
  console.log(`# ${name}, Node ${process.version}, ${cpus().length} × ${cpus()[0].model}, load ${load.join(' ')}`);
  const result = await run(impls, settings);
  const directory = new URL('./results/', import.meta.url);
  mkdirSync(directory, { recursive: true });
  const file = `${name}${settings.tag ? `-${settings.tag}` : ''}.json`;
  writeFileSync(new URL(file, directory), `${JSON.stringify(result, null, 1)}\n`);
}

await main(async () => {
  await ensureInstalled();
  await ensureBuilt(['@dragoman/client', '@dragoman/server']);
  const given = process.argv.slice(2);
  for (const one of given[0] === 'all' ? ALL : [given]) await runOne(one);
});
process.exit(); // with the code that was set: a floor server may still be listening
