import { createHash } from 'node:crypto';
import { type Client, type ClientOptions, connect } from '@dragoman/client';
import type { Invocation } from '../invocation.ts';
import type { CliTarget } from '../target/target.ts';
import { httpConnection } from './connect-options.ts';
import { CONNECT_TIMEOUT, mayUseProxy, nodeFetch } from './node-fetch.ts';

/** Names credentials, so that the cache on disk never shows the private answers of one user to another. */
const credentialOf = (secrets: unknown): string => createHash('sha256').update(JSON.stringify(secrets)).digest('hex');

/** How often within a minute a command that is listened to is started again. */
const RESTARTS = 5;

/** Connects to what the command line names. */
export async function openClient(target: CliTarget, common: ClientOptions, invocation: Invocation): Promise<Client> {
  const { options, terminal, signal } = invocation;
  switch (target.kind) {
    case 'http': {
      const connection = httpConnection(options, terminal.cwd);
      const credential = credentialOf(connection.headers);
      if (mayUseProxy(target.url, terminal.env)) {
        return connect(target.url, { ...common, connectTimeout: CONNECT_TIMEOUT, ...connection, credential, signal });
      }
      if (connection.insecure === true) {
        common.onWarning?.({
          kind: 'insecure',
          message: `the certificate of ${target.url.host} is NOT checked: whoever is in between can read and change everything`,
        });
      }
      const fetch = nodeFetch(connection, `dragoman/${invocation.version}`);
      return connect(target.url, { ...common, headers: connection.headers, fetch, credential, signal });
    }
    case 'stdio': {
      const env = options.env === undefined ? undefined : Object.fromEntries(options.env);
      const { command, args } = target;
      const credential = credentialOf(env ?? {});
      // Who listens wants to go on listening; a call that its server did not survive has failed.
      const restarts = invocation.command.name === 'listen' ? RESTARTS : 0;
      const where = { command, args, env, cwd: options.cwd ?? terminal.cwd };
      return connect(where, { ...common, restarts, credential, signal });
    }
    case 'demo': {
      const { demoServer } = await import('../demo-server.ts');
      return connect({ exchange: demoServer(terminal.env).exchange, name: 'demo' }, { ...common, signal });
    }
  }
}
