import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Server, toNodeHandler } from '@dragoman/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeCertificate } from '../../client/test/wires/certificate.ts';
import { dragoman, folder } from './support/run.ts';

const cwd = folder();
const authority = makeCertificate('authority');
const own = makeCertificate('server', authority);
const client = makeCertificate('client', authority);
let open: string;
let closed: string;
const closers: (() => unknown)[] = [];

beforeAll(async () => {
  for (const [file, text] of [
    ['ca.pem', authority.cert],
    ['cert.pem', client.cert],
    ['key.pem', client.key],
    ['none.pem', 'nothing'],
  ] as const) {
    writeFileSync(join(cwd, file), text);
  }
  const server = new Server({ name: 'secure', version: '1.0.0' });
  server.tool('echo', {}, () => 'hi');
  const start = async (options: object): Promise<string> => {
    const https = createServer({ cert: own.cert, key: own.key, ...options }, toNodeHandler(server));
    closers.push(
      () => https.closeAllConnections(),
      () => https.close(),
    );
    await new Promise<void>((resolve) => https.listen(0, '127.0.0.1', resolve));
    return `https://localhost:${(https.address() as AddressInfo).port}/mcp`;
  };
  open = await start({});
  closed = await start({ ca: authority.cert, requestCert: true, rejectUnauthorized: true });
});

afterAll(() => {
  for (const close of closers) close();
});

describe('a server with a certificate of its own', () => {
  test.concurrent('is not trusted, and that says what to do', async () => {
    const { code, stderr } = await dragoman(['tools', open], { cwd });
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringMatching(/certificate.*--ca/s) });
  });

  test.concurrent('is trusted with its authority', async () => {
    expect(await dragoman(['tools', open, '--ca', 'ca.pem'], { cwd })).toMatchObject({ code: 0, stdout: 'echo\n' });
  });

  test.concurrent('is not checked with --insecure, which is loud even with --quiet', async () => {
    const { code, stdout, stderr } = await dragoman(['tools', open, '--insecure', '--quiet'], { cwd });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'echo\n' });
    expect(stderr).toMatch(/^WARNING: the certificate of localhost:\d+ is NOT checked/);
  });

  test.concurrent('that wants one of the client gets it', async () => {
    const [without, with_] = await Promise.all([
      dragoman(['tools', closed, '--ca', 'ca.pem'], { cwd }),
      dragoman(['tools', closed, '--ca', 'ca.pem', '--cert', 'cert.pem', '--key', 'key.pem'], { cwd }),
    ]);
    expect(without.code).toBe(3);
    expect(with_).toMatchObject({ code: 0, stdout: 'echo\n' });
  });

  test.concurrent.each([
    [['--ca', 'none.pem'], '--ca: the file holds no PEM certificate'],
    [['--ca', 'missing.pem'], '--ca: cannot read missing.pem'],
    [['--cert', 'cert.pem'], '--cert needs --key besides'],
  ])('%j is refused', async (args, message) => {
    expect(await dragoman(['tools', open, ...args], { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(message),
    });
  });
});
