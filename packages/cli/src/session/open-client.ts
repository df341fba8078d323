import { type Client, type ClientOptions, connect } from '@dragoman/client';
import type { Invocation } from '../invocation.ts';
import type { CliTarget } from '../target/target.ts';
import { httpConnection } from './connect-options.ts';

/** Connects to what the command line names. */
export async function openClient(target: CliTarget, common: ClientOptions, invocation: Invocation): Promise<Client> {
  const { options, terminal, signal } = invocation;
  switch (target.kind) {
    case 'http':
      return connect(target.url, { ...common, ...httpConnection(options, terminal.cwd), signal });
    case 'stdio': {
      const env = options.env === undefined ? undefined : Object.fromEntries(options.env);
      const { command, args } = target;
      return connect({ command, args, env, cwd: options.cwd ?? terminal.cwd }, { ...common, signal });
    }
    case 'demo': {
      const { createDemoServer } = await import('../../../../examples/demo/server.ts');
      return connect({ exchange: createDemoServer().exchange }, { ...common, signal });
    }
  }
}
