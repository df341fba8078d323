// Bare client: node:http keep-alive agent + JSON. The floor for client cost.

import { spawn } from 'node:child_process';
import { Agent, request } from 'node:http';
import { lineSplitter } from '../../lib/lines.mjs';
import { calls, httpHeaders, rpc } from '../../lib/workload.mjs';

const agent = new Agent({ keepAlive: true, maxSockets: 256 });
export async function connectHttp(url) {
  const u = new URL(url);
  const post = (msg) =>
    new Promise((resolve, reject) => {
      const body = JSON.stringify(msg);
      const req = request(
        {
          agent,
          host: u.hostname,
          port: u.port,
          path: u.pathname,
          method: 'POST',
          headers: { ...httpHeaders('modern', msg), 'content-length': Buffer.byteLength(body) },
        },
        (res) => {
          let t = '';
          res.setEncoding('utf8');
          res.on('data', (c) => {
            t += c;
          });
          res.on('end', () => resolve(JSON.parse(t).result));
        },
      );
      req.on('error', reject);
      req.end(body);
    });
  await post(calls.discover('modern'));
  return {
    echo: (text) => post(rpc('modern', 'tools/call', { name: 'echo', arguments: { text } })),
    sum: (a, b) => post(rpc('modern', 'tools/call', { name: 'sum', arguments: { a, b } })),
    list: () => post(calls.list('modern')),
    close: async () => agent.destroy(),
  };
}
export async function connectStdio(command, args) {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const waits = new Map();
  child.stdout.setEncoding('utf8');
  child.stdout.on(
    'data',
    lineSplitter((line) => {
      const m = JSON.parse(line);
      waits.get(m.id)?.(m.result);
      waits.delete(m.id);
    }),
  );
  const ask = (m) =>
    new Promise((r) => {
      waits.set(m.id, r);
      child.stdin.write(`${JSON.stringify(m)}\n`);
    });
  await ask(calls.discover('modern'));
  return {
    echo: (text) => ask(rpc('modern', 'tools/call', { name: 'echo', arguments: { text } })),
    sum: (a, b) => ask(rpc('modern', 'tools/call', { name: 'sum', arguments: { a, b } })),
    list: () => ask(calls.list('modern')),
    close: async () => {
      child.stdin.end();
      child.kill();
    },
  };
}
