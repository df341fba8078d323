// Raw-socket HTTP/1.1 keep-alive load generator: prebuilt request bytes, minimal response parsing.
// One request in flight per socket. It must never be the bottleneck (checked by `npm run bench -- gen`).
import net from 'node:net';

export function encodeRequest(url, headers, body) {
  const u = new URL(url);
  const b = Buffer.from(body);
  let head = `POST ${u.pathname} HTTP/1.1\r\nhost: ${u.host}\r\nconnection: keep-alive\r\n`;
  for (const [k, v] of Object.entries(headers)) head += `${k}: ${v}\r\n`;
  head += `content-length: ${b.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), b]);
}

const CRLF2 = Buffer.from('\r\n\r\n');
const TAIL = Buffer.from('0\r\n\r\n');

/** One keep-alive connection; `send(bytes)` resolves with {status, bytes, head, body?}. */
export class RawConn {
  constructor(url, { keepBody = false, onData } = {}) {
    const u = new URL(url);
    this.keepBody = keepBody;
    this.onData = onData;
    this.sock = net.connect({ host: u.hostname, port: Number(u.port), noDelay: true });
    this.sock.on('data', (c) => this.#data(c));
    this.sock.on('error', (e) => this.#fail(e));
    this.sock.on('close', () => this.#fail(new Error('socket closed')));
    this.ready = new Promise((r) => this.sock.once('connect', r));
    this.reset();
  }
  reset() {
    this.pend = null;
    this.head = null;
    this.need = -1;
    this.chunked = false;
    this.got = 0;
    this.tail = Buffer.alloc(0);
    this.parts = [];
  }
  send(bytes) {
    return new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
      this.sock.write(bytes);
    });
  }
  /** callback form: no promise per request */
  sendCb(bytes, cb) {
    this.cb = cb;
    this.sock.write(bytes);
  }
  #fail(e) {
    const r = this.reject;
    this.resolve = this.reject = undefined;
    r?.(e);
    if (this.cb) {
      const cb = this.cb;
      this.cb = undefined;
      cb(e);
    }
  }
  #data(chunk) {
    if (this.head === null) {
      if (this.pend) chunk = Buffer.concat([this.pend, chunk]);
      const i = chunk.indexOf(CRLF2);
      if (i < 0) {
        this.pend = chunk;
        return;
      }
      this.pend = null;
      this.head = chunk.latin1Slice(0, i);
      const m = /content-length: (\d+)/i.exec(this.head);
      if (m) this.need = Number(m[1]);
      else if (/transfer-encoding: chunked/i.test(this.head)) this.chunked = true;
      else this.need = 0;
      chunk = chunk.subarray(i + 4);
    }
    this.got += chunk.length;
    if (this.keepBody) this.parts.push(chunk);
    if (this.onData && chunk.length) this.onData(chunk);
    let done;
    if (this.chunked) {
      const t = chunk.length >= 5 ? chunk.subarray(chunk.length - 5) : Buffer.concat([this.tail, chunk]).subarray(-5);
      this.tail = Buffer.from(t);
      done = this.tail.equals(TAIL);
    } else done = this.got >= this.need;
    if (done) {
      const status = Number(this.head.slice(9, 12));
      const out = { status, bytes: this.got };
      if (this.keepBody) {
        out.head = this.head;
        out.body = this.#body();
      }
      this.reset();
      const r = this.resolve;
      if (r) {
        this.resolve = this.reject = undefined;
        r(out);
      } else {
        const cb = this.cb;
        this.cb = undefined;
        cb?.(null, out);
      }
    }
  }
  #body() {
    let b = Buffer.concat(this.parts);
    if (!this.chunked) return b.toString('utf8');
    const out = [];
    for (;;) {
      const i = b.indexOf('\r\n');
      if (i < 0) break;
      const n = parseInt(b.latin1Slice(0, i), 16);
      if (!n) break;
      out.push(b.subarray(i + 2, i + 2 + n));
      b = b.subarray(i + 2 + n + 2);
    }
    return Buffer.concat(out).toString('utf8');
  }
  close() {
    this.resolve = this.reject = this.cb = undefined;
    this.sock.destroy();
  }
}

/** Drive `conc` connections for `ms` (or `total` requests). Returns {rps, p50, p99, n, errors} (µs). */
export async function load(url, bytes, { conc, ms, total = Infinity }) {
  const conns = Array.from({ length: conc }, () => new RawConn(url));
  await Promise.all(conns.map((c) => c.ready));
  const lat = [];
  let n = 0,
    errors = 0,
    issued = 0;
  const t0 = process.hrtime.bigint();
  const end = ms === undefined ? Infinity : performance.now() + ms;
  await Promise.all(
    conns.map(
      (c) =>
        new Promise((resolve, reject) => {
          const next = () => {
            if (issued >= total || performance.now() >= end) return resolve();
            issued++;
            const s = performance.now();
            c.sendCb(bytes, (err, out) => {
              if (err) return reject(err);
              lat.push(performance.now() - s);
              n++;
              if (out.status !== 200) errors++;
              next();
            });
          };
          next();
        }),
    ),
  );
  const sec = Number(process.hrtime.bigint() - t0) / 1e9;
  for (const c of conns) c.close();
  lat.sort((a, b) => a - b);
  const q = (p) => Math.round(1000 * lat[Math.min(lat.length - 1, Math.floor(p * lat.length))]);
  return { rps: n / sec, p50: q(0.5), p99: q(0.99), n, errors };
}
