import { loggingLevels, revisions } from '@dragoman/protocol';
import type { OptionGroup } from './option.ts';
import { duration, header, headerFromEnv, pair, traceparent } from './values.ts';

/** How to reach a server. */
export const connectionOptions: OptionGroup = {
  title: 'Connection',
  options: [
    {
      flags: '--protocol <version>',
      summary: 'protocol revision to speak',
      choices: ['auto', ...revisions],
      fallback: 'auto',
      env: 'DRAGOMAN_PROTOCOL',
    },
    {
      flags: '--transport <kind>',
      summary: 'how SERVER is reached, where its form leaves it open',
      choices: ['http', 'stdio'],
      fallback: 'by the form of SERVER',
    },
    { flags: '-H, --header <line>', summary: "HTTP header, 'Name: value'", repeat: true, parse: header },
    {
      flags: '--header-env <name=variable>',
      summary: 'HTTP header whose value stands in an environment variable',
      repeat: true,
      parse: headerFromEnv,
    },
    { flags: '--env <key=value>', summary: "environment variable for a server's command", repeat: true, parse: pair },
    { flags: '--cwd <dir>', summary: "working directory of a server's command", fallback: 'the current directory' },
    {
      flags: '--timeout <time>',
      summary: 'longest wait for an answer; progress starts it anew',
      parse: duration,
      fallback: '60s',
      env: 'DRAGOMAN_TIMEOUT',
    },
    {
      flags: '--max-time <time>',
      summary: 'longest time for connecting, and for a whole call, all rounds included',
      parse: duration,
      fallback: 'none',
      env: 'DRAGOMAN_MAX_TIME',
    },
    {
      flags: '--connect-timeout <time>',
      summary: 'longest wait for a connection, or for a command to start answering',
      parse: duration,
      fallback: '15s for a connection, 60s for a command',
      env: 'DRAGOMAN_CONNECT_TIMEOUT',
    },
    {
      flags: '--log-level <level>',
      summary: 'ask the server for log messages from this level up (deprecated in 2026-07-28)',
      choices: loggingLevels,
      env: 'DRAGOMAN_LOG_LEVEL',
    },
    { flags: '--traceparent <value>', summary: 'W3C trace context to send along', parse: traceparent },
    { flags: '--ca <file>', summary: 'PEM file with certificate authorities to trust besides those of the system' },
    { flags: '--cert <file>', summary: 'PEM file with a client certificate' },
    { flags: '--key <file>', summary: 'PEM file with the key of the client certificate' },
    { flags: '--insecure', summary: 'do NOT check the certificate of the server' },
    { flags: '--no-cache', summary: 'neither use nor fill the response cache' },
    { flags: '--refresh', summary: 'ask the server even where the cache has a fresh answer' },
    { flags: '--trace <file>', summary: 'write every message and HTTP exchange as JSON lines, secrets masked' },
  ],
};
