import { serveStdio } from '@dragoman/server';
import { buildServer } from './factory.mjs';

serveStdio(buildServer(Number(process.env.BENCH_TOOLS ?? 0)));
