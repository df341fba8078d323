// The processes under test, and what /proc says of them.
import { fork, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import net from 'node:net';
import { fileURLToPath } from 'node:url';
import { adapterFile } from './adapters.mjs';
import { lineSplitter } from './lines.mjs';

const freePort = () =>
  new Promise((resolve) => {
    const s = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = s.address();
      s.close(() => resolve(port));
    });
  });

/** A measurement whose subject died is worth nothing: says so and ends the run. */
function mustLive(child, label) {
  const died = (code, signal) => {
    console.error(`${label} ended (${signal ?? code})`);
    process.exit(1);
  };
  child.once('exit', died);
  return () =>
    new Promise((resolve) => {
      child.off('exit', died);
      child.once('exit', resolve);
      child.kill('SIGKILL');
    });
}

let seq = 0;
/** Forks one of lib/'s hosts; resolves, when it says that it is ready, with what it said and `ask(op)` and `stop()`. */
export function forkHost(script, args, label, execArgv = []) {
  return new Promise((resolve) => {
    const path = fileURLToPath(new URL(`./${script}`, import.meta.url));
    const child = fork(path, args, { execArgv, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    tapStderr(child, label);
    const stop = mustLive(child, label);
    const waits = new Map();
    const ask = (op, extra) =>
      new Promise((answer) => {
        const id = ++seq;
        waits.set(id, answer);
        child.send({ id, op, ...extra });
      });
    child.on('message', (message) => {
      if (message.ready) resolve({ ...message, pid: child.pid, ask, stop });
      else {
        waits.get(message.id)?.(message);
        waits.delete(message.id);
      }
    });
  });
}

/** Forks an HTTP host for `impl`; resolves with { impl, url, wire, ask(op), stop() }. */
export async function hostHttp(impl, { tools = 0, execArgv = ['--expose-gc'] } = {}) {
  const args = [impl, String(await freePort()), String(tools)];
  const host = await forkHost('host-http.mjs', args, `${impl} server`, execArgv);
  return { ...host, impl, url: host.ready };
}

/** Forks a client host for `impl`, connected to `url`. */
export async function hostClient(impl, url) {
  return { ...(await forkHost('host-client.mjs', [impl, url], `${impl} client`)), impl };
}

/** Spawns the stdio server of `impl`; newline JSON over its pipes. */
export function hostStdio(impl, { tools = 0 } = {}) {
  const child = spawn(process.execPath, [adapterFile(impl, 'stdio-server.mjs')], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, BENCH_TOOLS: String(tools) },
  });
  const stop = mustLive(child, `${impl} stdio server`);
  const host = {
    impl,
    pid: child.pid,
    onLine(_line) {},
    write: (text) => child.stdin.write(text),
    stop,
  };
  child.stdout.setEncoding('utf8');
  child.stdout.on(
    'data',
    lineSplitter((line) => host.onLine(line)),
  );
  return host;
}

/** CPU time of another process in µs, from /proc (10 ms granularity). */
export function procCpu(pid) {
  const s = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const f = s.slice(s.lastIndexOf(')') + 2).split(' ');
  return (Number(f[11]) + Number(f[12])) * 10_000;
}

/** Keeps a child's stderr out of the way but never loses it: the first two lines are shown, the rest counted. */
export const stderrCounts = {};
export function tapStderr(child, label) {
  child.stderr.setEncoding('utf8');
  child.stderr.on('data', (d) => {
    for (const line of d.split('\n')) {
      if (!line) continue;
      stderrCounts[label] = (stderrCounts[label] ?? 0) + 1;
      if (stderrCounts[label] <= 2) process.stderr.write(`[${label}] ${line}\n`);
    }
  });
}
