import { spawn } from 'node:child_process';
import { domainToUnicode } from 'node:url';
import type { InputContext } from '@dragoman/client';
import type { ElicitRequestURLParams, ElicitResult } from '@dragoman/protocol';
import { escapeLine, escapeText } from '../terminal/escape.ts';
import type { Style } from '../terminal/style.ts';
import type { Asker } from './asker.ts';
import { decide, whoAsks } from './terminal-form.ts';

/** Opens a page in the user's browser. Rejects where there is no way to. */
export type OpenUrl = (url: string) => Promise<void>;

/**
 * Shows a page that a server wants visited, whole and with its host marked, and opens it only on yes. The page itself is
 * never fetched (client/elicitation, "Safe URL Handling").
 */
export async function askUrl(
  params: ElicitRequestURLParams,
  context: InputContext,
  asker: Asker,
  style: Style,
  open: OpenUrl,
): Promise<ElicitResult> {
  asker.say(`\n${whoAsks(context, style)}\n${escapeText(params.message)}\n`);
  const read = readUrl(params.url);
  if ('problem' in read) {
    asker.say(`${style.red('Not opened:')} ${escapeLine(params.url)}\n${read.problem}`);
    return { action: 'cancel' };
  }
  asker.say(showUrl(params.url, read.url, style));
  const action = await decide(asker, `Open this page of ${escapeLine(read.url.host)} in your browser?`, 'yes, open it');
  if (action === 'accept') {
    await open(read.url.href).catch(() =>
      asker.say(`No browser could be started. Open the page yourself: ${escapeLine(read.url.href)}`),
    );
  }
  return { action };
}

/** Only https, and http on loopback: anything else is handed to programs that nobody asked for. */
function readUrl(text: string): { url: URL } | { problem: string } {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return { problem: 'It is not a URL.' };
  }
  const loopback = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol === 'https:' || (url.protocol === 'http:' && loopback)) return { url };
  return { problem: `Pages are opened by https, or by http on this machine, not by ${escapeLine(url.protocol)}` };
}

/** The whole URL with its host marked, and a warning where the host's name is not plain ASCII. */
function showUrl(text: string, url: URL, style: Style): string {
  const href = url.href;
  const at = href.indexOf(url.host, url.protocol.length);
  const marked = `${escapeLine(href.slice(0, at))}${style.bold(escapeLine(url.host))}${escapeLine(href.slice(at + url.host.length))}`;
  const lines = [`  ${marked}`, `  host: ${style.bold(escapeLine(url.host))}`];
  const unicode = domainToUnicode(url.hostname);
  if (/(?:^|\.)xn--/i.test(url.hostname) && unicode !== '') {
    lines.push(
      `  ${style.yellow('careful:')} this name is shown as ${escapeLine(unicode)}, whose letters may look like others`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    lines.push(`  ${style.yellow('careful:')} what stands before @ is a user name, not where the page comes from`);
  }
  if (/[^\x20-\x7e]/.test(text)) lines.push(`  as it was sent: ${escapeLine(text)}`);
  return lines.join('\n');
}

/** Opens a page with the platform's own opener. The URL is one word and never seen by a shell. */
export const systemOpen: OpenUrl = (url) =>
  new Promise((resolve, reject) => {
    const [command, args] =
      process.platform === 'darwin'
        ? ['open', [url]]
        : process.platform === 'win32'
          ? ['rundll32', ['url.dll,FileProtocolHandler', url]]
          : [process.env.BROWSER ?? 'xdg-open', [url]];
    const child = spawn(command as string, args as string[], { stdio: 'ignore', detached: true });
    child.once('error', reject);
    child.once('spawn', () => {
      child.unref();
      resolve();
    });
  });
