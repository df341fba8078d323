import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { buildServer } from './factory.mjs';

await buildServer(Number(process.env.BENCH_TOOLS ?? 0)).connect(new StdioServerTransport());
process.stdin.on('end', () => process.exit(0));
