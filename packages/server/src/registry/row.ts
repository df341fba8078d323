import { DragomanError } from '@dragoman/protocol';

/**
 * What clients see of a registered thing, taken from its definition once: undefined members are gone, and later changes
 * of the definition's own objects do not show.
 */
export function makeRow<R extends object>(what: string, row: R): R {
  try {
    const text: string | undefined = JSON.stringify(row);
    if (text?.startsWith('{') !== true) throw new TypeError('it comes to no object');
    return freeze(JSON.parse(text) as R);
  } catch (cause) {
    throw new DragomanError(
      'INVALID_ARGUMENT',
      `${what} cannot be listed: its definition is not JSON (${cause instanceof Error ? cause.message : String(cause)})`,
      { cause },
    );
  }
}

/** Whether two rows look the same to a client. */
export const sameRow = (a: object, b: object): boolean => JSON.stringify(a) === JSON.stringify(b);

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) freeze(member);
    Object.freeze(value);
  }
  return value;
}
