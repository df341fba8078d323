import { checkSchema } from '@dragoman/protocol';
import type { Reports } from '../reports.ts';
import type { ValueCheck } from './check.ts';

/**
 * Warns of a pattern in a schema that takes exponential time on texts that a client can send: while it is tried, nobody
 * else is answered. An author's own patterns are not refused for that, for what passes in front of them may be narrower.
 */
export function warnOfSlowPatterns(what: string, { schema }: ValueCheck, reports: Reports): void {
  // With the author's trust left out, this is the one thing more that can be wrong.
  const details = checkSchema(schema)?.details;
  if (details?.reason !== 'pattern') return;
  reports.warning(
    'SLOW_PATTERN',
    `${what}: the pattern at ${details.pointer} takes exponential time on texts that a client can send; write it so that each text can be read in one way only`,
  );
}
