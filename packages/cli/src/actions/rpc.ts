import type { JsonObject } from '@dragoman/protocol';
import { readJsonObject } from '../arguments/json.ts';
import { sourcesOf } from '../arguments/read-source.ts';
import type { ExitCode } from '../exit-code.ts';
import type { Invocation } from '../invocation.ts';
import { prettyJson } from '../output/json.ts';
import { printRequest } from '../session/print-request.ts';
import { printReport } from '../session/report.ts';
import { withSession } from '../session/session.ts';
import { wantsRequest } from '../session/wants-request.ts';

/** Sends any request and prints its result. */
export const run = async (invocation: Invocation): Promise<ExitCode> => {
  const [method, json] = invocation.operands as [string, string | undefined];
  if (wantsRequest(invocation.options)) {
    const params =
      json === undefined ? {} : await readJsonObject(json, 'the parameters', sourcesOf(invocation.terminal));
    return printRequest(invocation, (client, options) => client.request(method, params, options));
  }
  return withSession(invocation, async (session) => {
    const params = json === undefined ? {} : await readJsonObject(json, 'the parameters', session.sources);
    const options = { ...session.callOptions(), onInputRequired: 'return' as const, cache: 'bypass' as const };
    const answer = (await session.client.request(method, params, options)) as JsonObject;
    // What the client adds for programs is not the server's.
    const { continuation: _, ...result } = answer;
    session.facts.cache = undefined;
    const asks = result.resultType === 'input_required';
    return printReport(session, {
      kind: 'rpc',
      data: result,
      text: ({ style }) => prettyJson(result, style),
      ...(asks
        ? {
            failure: {
              class: 'input' as const,
              code: 'INPUT_REQUIRED',
              name: 'INPUT_REQUIRED',
              message: `${method} asks for input`,
            },
          }
        : undefined),
    });
  });
};
