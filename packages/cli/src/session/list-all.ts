import type { JsonObject, MethodName, Result } from '@dragoman/protocol';
import type { Session } from './session.ts';

/**
 * All pages of a list as one result: what the first page says of itself, with the items of all. `data` stays the
 * protocol's own.
 */
export async function listAll(
  session: Session,
  method: MethodName,
  member: string,
  walk: () => Promise<readonly unknown[]>,
): Promise<{ result: JsonObject; items: readonly JsonObject[] }> {
  let first: Result | undefined;
  const remove = session.client.use((next) => async (request, io) => {
    const result = await next(request, io);
    if (request.method === method && request.params.cursor === undefined) first = result;
    return result;
  });
  try {
    const items = (await walk()) as readonly JsonObject[];
    const { nextCursor: _, ...rest } = first ?? {};
    return { result: { ...rest, [member]: items }, items };
  } finally {
    remove();
  }
}
