import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { DragomanError } from '@dragoman/protocol';
import type { ServerWords } from '../invocation.ts';
import { splitWords } from './split-words.ts';

/** The server that a command line means. */
export type CliTarget =
  | { readonly kind: 'http'; readonly url: URL }
  | { readonly kind: 'stdio'; readonly command: string; readonly args: readonly string[] }
  | { readonly kind: 'demo' };

const wrong = (message: string): DragomanError => new DragomanError('INVALID_ARGUMENT', message);

const SCRIPT = /\.(?:mjs|cjs|js|mts|cts|ts)$/i;
const HOST = /^(?:\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::\d+)?(?:[/?].*)?$/i;
const FORMS = 'SERVER is a URL, a command after --, a quoted command, a script file, or demo';

/** Reads what names a server. Nothing is started or connected to. Throws INVALID_ARGUMENT. */
export function readTarget(server: ServerWords, transport: 'http' | 'stdio' | undefined, cwd: string): CliTarget {
  const target = 'command' in server ? commandTarget(server.command) : wordTarget(server.word, transport, cwd);
  if (transport !== undefined && target.kind !== transport) {
    const what = 'word' in server ? server.word : server.command.join(' ');
    throw wrong(`--transport ${transport} does not fit ${JSON.stringify(what)}, which is reached by ${target.kind}`);
  }
  return target;
}

function commandTarget(words: readonly string[]): CliTarget {
  const [command, ...args] = words;
  if (command === undefined || command === '') throw wrong('the command after -- is empty');
  return { kind: 'stdio', command, args };
}

function wordTarget(word: string, transport: 'http' | 'stdio' | undefined, cwd: string): CliTarget {
  if (word === 'demo' && transport === undefined) return { kind: 'demo' };
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(word)?.[1]?.toLowerCase();
  if (scheme !== undefined) return urlTarget(word, scheme);
  if (/\s/.test(word) && !isFile(word, cwd)) {
    const split = splitWords(word);
    if ('problem' in split) throw wrong(`cannot split ${JSON.stringify(word)} into words: ${split.problem}`);
    return commandTarget(split.words);
  }
  if (transport === 'stdio' && !SCRIPT.test(word)) return commandTarget([word]);
  if (transport !== 'http') {
    const script = fileTarget(word, cwd);
    if (script !== undefined) return script;
  }
  const loopback = loopbackHost(word);
  if (HOST.test(word) && (transport === 'http' || loopback || /[.:/]/.test(word))) {
    return urlTarget(`${loopback ? 'http' : 'https'}://${word}`, loopback ? 'http' : 'https');
  }
  throw wrong(`there is no server called ${JSON.stringify(word)}: ${FORMS}; -- ${word} starts a program of that name`);
}

/** Whether a word without a scheme begins with a loopback host. */
function loopbackHost(word: string): boolean {
  return /^(?:localhost|(?:[a-z0-9-]+\.)+localhost|127(?:\.\d{1,3}){3}|\[::1\])(?=[:/?]|$)/i.test(word);
}

function urlTarget(text: string, scheme: string): CliTarget {
  if (scheme !== 'http' && scheme !== 'https') {
    throw wrong(`${JSON.stringify(text)}: a server is reached by https:// or http://, not by ${scheme}://`);
  }
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw wrong(`${JSON.stringify(text)} is not a URL`);
  }
  if (url.username !== '' || url.password !== '') {
    throw wrong(
      `the URL of ${url.host} holds a user name or password; give them with --header-env Authorization=VARIABLE`,
    );
  }
  url.hash = '';
  return { kind: 'http', url };
}

function fileTarget(word: string, cwd: string): CliTarget | undefined {
  const pathLike = /^(?:\.{0,2}[/\\]|[a-z]:[/\\])/i.test(word);
  const path = resolve(cwd, word);
  if (!isFile(word, cwd)) {
    if (pathLike || SCRIPT.test(word)) throw wrong(`there is no file ${path}; ${FORMS}`);
    return undefined;
  }
  if (SCRIPT.test(word)) {
    const typed = /ts$/i.test(word);
    // Node says so since it can.
    if (typed && !('typescript' in process.features && process.features.typescript)) {
      throw wrong(`${path} is TypeScript, which this Node ${process.version} does not run; try: -- npx tsx ${word}`);
    }
    return { kind: 'stdio', command: process.execPath, args: [path] };
  }
  if (pathLike) return { kind: 'stdio', command: path, args: [] };
  return undefined;
}

function isFile(word: string, cwd: string): boolean {
  try {
    return statSync(resolve(cwd, word)).isFile();
  } catch {
    return false;
  }
}
