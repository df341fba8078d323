import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import * as tls from 'node:tls';
import { DragomanError, isModern, MODERN } from '@dragoman/protocol';
import type { Options } from '../invocation.ts';
import type { CliTarget } from '../target/target.ts';

const wrong = (message: string): DragomanError => new DragomanError('INVALID_ARGUMENT', message);

/** Options that act only over HTTP, and only on a command, with how to tell that one was given. */
const httpOnly = ['header', 'headerEnv', 'ca', 'cert', 'key', 'insecure'] as const;
const commandOnly = ['env', 'cwd'] as const;
const flags = new Map<string, string>([
  ['header', '-H'],
  ['headerEnv', '--header-env'],
]);

/** Refuses what would be accepted without having any effect, and revisions that are not spoken yet. */
export function checkConnectionOptions(options: Options, target: CliTarget): void {
  const { protocol } = options;
  if (protocol !== undefined && protocol !== 'auto' && !isModern(protocol)) {
    throw wrong(
      `--protocol ${protocol}: this version of dragoman speaks ${MODERN}; older revisions come with a later one`,
    );
  }
  const what = target.kind === 'http' ? 'a URL' : target.kind === 'stdio' ? 'a command' : 'the built-in demo server';
  const idle =
    target.kind === 'http' ? commandOnly : target.kind === 'stdio' ? httpOnly : [...httpOnly, ...commandOnly];
  for (const name of idle) {
    if (options[name] === undefined) continue;
    throw wrong(`${flags.get(name) ?? `--${name}`} has no effect on ${what}: leave it out`);
  }
  if (target.kind === 'http' && target.url.protocol === 'http:') {
    for (const name of ['ca', 'cert', 'key', 'insecure'] as const) {
      if (options[name] !== undefined)
        throw wrong(`--${name} has no effect on ${target.url.protocol}//, which has no certificates`);
    }
  }
  if ((options.cert === undefined) !== (options.key === undefined)) {
    throw wrong(
      `--${options.cert === undefined ? 'key' : 'cert'} needs --${options.cert === undefined ? 'cert' : 'key'} besides`,
    );
  }
  if (options.cache === false && options.refresh === true) throw wrong('--no-cache and --refresh exclude each other');
}

/** How connections are made to an HTTP server. */
export interface HttpConnection {
  readonly headers: [string, string][];
  readonly connectTimeout?: number;
  readonly ca?: string[];
  readonly cert?: Buffer;
  readonly key?: Buffer;
  readonly insecure?: boolean;
}

/** Reads what the options name. Throws INVALID_ARGUMENT. */
export function httpConnection(options: Options, cwd: string): HttpConnection {
  const read = (name: 'ca' | 'cert' | 'key'): Buffer => {
    try {
      return readFileSync(resolve(cwd, options[name]!));
    } catch (cause) {
      throw new DragomanError(
        'INVALID_ARGUMENT',
        `--${name}: cannot read ${options[name]}: ${(cause as Error).message}`,
        { cause },
      );
    }
  };
  return {
    headers: [
      ...(options.header ?? []).map(([name, value]): [string, string] => [name, value]),
      ...(options.headerEnv ?? []).map(({ name, value }): [string, string] => [name, value]),
    ],
    ...(options.connectTimeout === undefined ? undefined : { connectTimeout: options.connectTimeout }),
    ...(options.ca === undefined ? undefined : { ca: [...systemAuthorities(), pem(read('ca'), '--ca')] }),
    ...(options.cert === undefined ? undefined : { cert: read('cert') }),
    ...(options.key === undefined ? undefined : { key: read('key') }),
    ...(options.insecure === true ? { insecure: true } : undefined),
  };
}

/** Naming authorities replaces those that Node trusts by itself, so they are named too. */
function systemAuthorities(): readonly string[] {
  const newer = tls as { getCACertificates?: (type: 'default') => string[] };
  return newer.getCACertificates?.('default') ?? tls.rootCertificates;
}

function pem(bytes: Buffer, option: string): string {
  const text = bytes.toString('latin1');
  if (!text.includes('-----BEGIN CERTIFICATE-----')) throw wrong(`${option}: the file holds no PEM certificate`);
  return text;
}
