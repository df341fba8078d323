import type { Client } from '@dragoman/client';
import type { Invocation } from '../invocation.ts';
import type { Envelope } from '../output/envelope.ts';
import type { Failure } from '../output/failure.ts';
import type { Reporter } from '../output/reporter.ts';
import type { Facts } from './facts.ts';

/** The envelope of an answer or a failure. */
export function envelopeOf(
  invocation: Invocation,
  client: Client | undefined,
  facts: Facts,
  reporter: Reporter,
  report: { readonly kind?: string; readonly data?: unknown; readonly failure?: Failure },
): Envelope {
  const { server } = invocation;
  const info = client?.info;
  const target =
    info?.target ?? (server === undefined ? undefined : 'word' in server ? server.word : server.command.join(' '));
  const { failure } = report;
  return {
    ok: failure === undefined,
    kind: report.kind ?? invocation.command.name,
    ...(target === undefined
      ? undefined
      : { server: { name: info?.serverInfo?.name ?? null, version: info?.serverInfo?.version ?? null, target } }),
    ...(info === undefined ? undefined : { protocol: { version: info.version, era: info.era, known: info.known } }),
    ...(report.data === undefined ? undefined : { data: report.data }),
    ...(failure === undefined ? undefined : { error: failure }),
    meta: facts.meta(reporter.warnings),
  };
}
