import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { buildServer } from './factory.mjs';

serveStdio(() => buildServer(Number(process.env.BENCH_TOOLS ?? 0)));
