import { build } from './http-server.mjs';

await build(Number(process.env.BENCH_TOOLS ?? 0)).start({ transportType: 'stdio' });
