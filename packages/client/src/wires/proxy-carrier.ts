import type { Dispatcher } from 'undici';
import connectApi from 'undici/lib/api/api-connect.js';
import buildConnector from 'undici/lib/core/connect.js';
import BaseDispatcher from 'undici/lib/dispatcher/dispatcher.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js';
import Socks5ProxyAgent from 'undici/lib/dispatcher/socks5-proxy-agent.js';
import type { OpenSockets } from './open-sockets.ts';

/** What connections through a proxy are made with. */
export interface ProxySettings {
  readonly proxy: URL;
  /** For the connection to the proxy, and the one through it. */
  readonly connect: buildConnector.BuildOptions;
  readonly connections: number;
  readonly sockets: OpenSockets;
}

/**
 * A dispatcher that goes through a proxy: CONNECT to an http or https proxy, SOCKS5 to another.
 *
 * @throws whatever is wrong with the proxy's address
 */
export function proxyDispatcher({ proxy, connect, connections, sockets }: ProxySettings): Dispatcher {
  if (proxy.protocol === 'socks5:' || proxy.protocol === 'socks:') {
    const { timeout = null } = connect;
    const toProxy = sockets.remember(buildConnector(timeout === null ? {} : { timeout }));
    // Its types leave these two out.
    const options: object = { connect: toProxy, requestTls: connect };
    return new Socks5ProxyAgent(proxy, options);
  }
  // undici gives its dispatchers this method only where it is loaded as a whole, and its proxy agent calls it.
  BaseDispatcher.prototype.connect ??= connectApi;
  return new ProxyAgent({
    // Deadlines belong to the client, which knows of progress; these would cut a quiet subscription off.
    headersTimeout: 0,
    bodyTimeout: 0,
    connections,
    uri: proxy.href,
    requestTls: connect,
    proxyTls: connect,
    clientFactory: (origin, options) => {
      const { connect: connector } = options as { connect: buildConnector.connector };
      return new Pool(origin, { ...options, connect: sockets.remember(connector) });
    },
  });
}
