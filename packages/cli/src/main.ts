#!/usr/bin/env node
// The least that has to be loaded to answer --version; everything else follows when it is needed.
import manifest from '../package.json' with { type: 'json' };

const [first, ...more] = process.argv.slice(2);
if (more.length === 0 && (first === '--version' || first === '-V')) process.stdout.write(`${manifest.version}\n`);
else await (await import('./cli.ts')).main(process.argv.slice(2), manifest.version);
