import type { Subscription, SubscriptionEvent } from '@dragoman/client';
import { DragomanError, type SubscriptionFilter } from '@dragoman/protocol';
import { ExitCode } from '../exit-code.ts';
import { runCommand } from '../input/run-command.ts';
import type { Invocation } from '../invocation.ts';
import { compactJson } from '../output/json.ts';
import { envelopeOf } from '../session/envelope-of.ts';
import { type Session, withSession } from '../session/session.ts';
import { escapeLine, escapeText } from '../terminal/escape.ts';

/** Prints changes as the server announces them. */
export const run = (invocation: Invocation): Promise<ExitCode> =>
  withSession(invocation, async (session) => {
    const filter = await filterOf(session);
    const subscription = await session.client.listen(filter, {
      signal: session.signal,
      ...(invocation.options.timeout ? { ackTimeout: invocation.options.timeout } : undefined),
      // That it broke off, and why, is a warning of the client's.
      onDrop: ({ retryInMs }) => session.reporter.note(`trying again in ${Math.round(retryInMs)} ms`),
    });
    session.reporter.note(`listening to ${namesOf(subscription.honored)}`);
    return follow(session, subscription);
  });

async function follow(session: Session, subscription: Subscription): Promise<ExitCode> {
  const { count, for: time, maxTime } = session.options;
  const timers: ReturnType<typeof setTimeout>[] = [];
  let late = false;
  const closeAfter = (milliseconds: number | undefined, isLate: boolean): void => {
    if (milliseconds === undefined || milliseconds === 0) return;
    timers.push(
      setTimeout(() => {
        late = isLate;
        void subscription.close();
      }, milliseconds),
    );
  };
  closeAfter(time, false);
  closeAfter(maxTime, true);
  let left = count ?? Number.POSITIVE_INFINITY;
  try {
    for await (const event of subscription) {
      await tell(session, event);
      left -= 1;
      if (left <= 0) break;
    }
  } finally {
    for (const timer of timers) clearTimeout(timer);
  }
  if (late)
    throw new DragomanError(
      'TIMEOUT',
      `listening took longer than ${maxTime} ms (--max-time); --for ends it in good order`,
    );
  const why = await subscription.closed;
  if (session.signal.aborted) return ExitCode.Interrupted;
  if (why === 'lost')
    throw new DragomanError('CONNECTION_CLOSED', 'the stream of events broke off and could not be opened again');
  if (why === 'graceful') session.reporter.note('the server ended the stream');
  return ExitCode.Done;
}

async function tell(session: Session, event: SubscriptionEvent): Promise<void> {
  const { reporter, invocation, client, facts, selection, options } = session;
  const at = new Date().toISOString();
  const data = { ...event, at };
  if (selection !== undefined) {
    const part = selection(data);
    await reporter.line(reporter.format === 'text' && typeof part === 'string' ? escapeText(part) : compactJson(part));
  } else if (reporter.format === 'text') await reporter.line(`${reporter.style.dim(at)} ${textOf(event)}`);
  else if (reporter.format === 'raw') await reporter.line(compactJson(data));
  else await reporter.line(compactJson(envelopeOf(invocation, client, facts, reporter, { kind: 'event', data })));
  if (options.exec === undefined) return;
  const { stdout, status } = await runCommand(
    options.exec,
    `${JSON.stringify(data)}\n`,
    { DRAGOMAN_EVENT: event.kind },
    session.signal,
  );
  if (stdout !== '') await reporter.write(stdout);
  if (status !== 0) reporter.warn(`--exec ended with ${status}`);
}

function textOf(event: SubscriptionEvent): string {
  const gap = event.gap ? ' (may have changed while the stream was closed)' : '';
  switch (event.kind) {
    case 'resource':
      return `resource ${escapeLine(event.uri)} changed${gap}`;
    case 'other':
      return `${escapeLine(event.notification.method)} ${compactJson(event.notification.params ?? {})}`;
    default:
      return `${event.kind} changed${gap}`;
  }
}

/** What was asked for; without options, all that the server announces of its lists. */
async function filterOf(session: Session): Promise<SubscriptionFilter> {
  const { tools, prompts, resources, uri } = session.options;
  if (tools === true || prompts === true || resources === true || uri !== undefined) {
    return {
      ...(tools === true ? { toolsListChanged: true } : undefined),
      ...(prompts === true ? { promptsListChanged: true } : undefined),
      ...(resources === true ? { resourcesListChanged: true } : undefined),
      ...(uri === undefined ? undefined : { resourceSubscriptions: [...uri] }),
    };
  }
  const { client } = session;
  if (client.info.capabilities === undefined) await client.discover(session.callOptions());
  const capabilities = client.info.capabilities ?? {};
  const filter: SubscriptionFilter = {
    ...(capabilities.tools?.listChanged === true ? { toolsListChanged: true } : undefined),
    ...(capabilities.prompts?.listChanged === true ? { promptsListChanged: true } : undefined),
    ...(capabilities.resources?.listChanged === true ? { resourcesListChanged: true } : undefined),
  };
  if (Object.keys(filter).length > 0) return filter;
  throw new DragomanError(
    'INVALID_ARGUMENT',
    'the server announces no changes of its lists; --uri listens to one resource',
  );
}

function namesOf(filter: SubscriptionFilter): string {
  const names = [
    filter.toolsListChanged === true ? 'tools' : '',
    filter.promptsListChanged === true ? 'prompts' : '',
    filter.resourcesListChanged === true ? 'resources' : '',
    ...(filter.resourceSubscriptions ?? []),
  ].filter(Boolean);
  return names.join(', ') || 'nothing: the server honours none of what was asked for';
}
