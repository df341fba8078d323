// What the types of a client say, checked by the compiler alone: no method answers with `any`.
import type { Client, InputRequired } from '@dragoman/client';
import type {
  CallToolResult,
  CompleteResult,
  DiscoverResult,
  ElicitResult,
  GetPromptResult,
  ListToolsResult,
  Prompt,
  ReadResourceResult,
  Resource,
  Result,
  Tool,
} from '@dragoman/protocol';

/** Whether two types are one and the same; `any` is the same as nothing but itself. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles only where the two types are the same. */
function same<A, B>(..._proof: Same<A, B> extends true ? [] : [never]): void {}

const anything = JSON.parse('1');
// @ts-expect-error any is not unknown
same<typeof anything, unknown>();
// @ts-expect-error and no string
same<typeof anything, string>();

export async function calls(client: Client): Promise<void> {
  const called = await client.callTool('book', { city: 'Rome' });
  same<typeof called, CallToolResult>();
  same<typeof called.structuredContent, unknown>();
  const asked = await client.callTool('book', {}, { onInputRequired: 'return' });
  same<typeof asked, CallToolResult | InputRequired>();
  const read = await client.readResource('file:///a');
  same<typeof read, ReadResourceResult>();
  const prompt = await client.getPrompt('review', { code: 'x' });
  same<typeof prompt, GetPromptResult>();
  const page = await client.listTools();
  same<typeof page, ListToolsResult>();
  const all = await client.listAllTools();
  same<typeof all, Tool[]>();
  for await (const resource of client.resources()) same<typeof resource, Resource>();
  for await (const each of client.prompts()) same<typeof each, Prompt>();
}

export async function requests(client: Client): Promise<void> {
  const called = await client.request('tools/call', { name: 'book', arguments: {} });
  same<typeof called, CallToolResult>();
  const asked = await client.request('tools/call', { name: 'book' }, { onInputRequired: 'return' });
  same<typeof asked, CallToolResult | InputRequired>();
  const discovered = await client.request('server/discover', {});
  same<typeof discovered, DiscoverResult>();
  const completed = await client.request('completion/complete', {
    ref: { type: 'ref/prompt', name: 'review' },
    argument: { name: 'code', value: 'x' },
  });
  same<typeof completed, CompleteResult>();
  const other = await client.request('com.example/else', { anything: true });
  same<typeof other, Result>();
  same<(typeof other)['whatever'], unknown>();
}

export function listens(client: Client): void {
  client.on('warning', (warning) => same<typeof warning.message, string>());
  client.on('close', (reason) => same<typeof reason.by, 'local' | 'peer'>());
  // @ts-expect-error there is no such event
  client.on('warn', () => undefined);
}

export const handlers: NonNullable<Parameters<typeof import('@dragoman/client').connect>[1]> = {
  handlers: {
    elicitForm: (params, context) => {
      same<typeof params.message, string>();
      same<typeof context.signal, AbortSignal>();
      const answer: ElicitResult = { action: 'decline' };
      return answer;
    },
  },
  onWarning: (warning) => same<typeof warning.message, string>(),
};
