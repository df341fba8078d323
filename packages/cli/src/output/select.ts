import { DragomanError } from '@dragoman/protocol';

/** Picks a part of a value; a part that is not there is null. */
export type Selection = (value: unknown) => unknown;

/**
 * Compiles `--select`: a JSON pointer (RFC 6901) where it begins with a slash or is empty, else JMESPath. Throws
 * INVALID_ARGUMENT before anything is sent.
 */
export async function compileSelection(expression: string): Promise<Selection> {
  if (expression === '' || expression.startsWith('/')) return pointer(expression);
  const jmespath = await import('@jmespath-community/jmespath');
  let tree: ReturnType<typeof jmespath.compile>;
  try {
    tree = jmespath.compile(expression);
  } catch (cause) {
    throw new DragomanError(
      'INVALID_ARGUMENT',
      `--select ${JSON.stringify(expression)} is neither a JSON pointer (/a/0) nor JMESPath: ${(cause as Error).message}`,
      { cause },
    );
  }
  return (value) => jmespath.TreeInterpreter.search(tree, value as never) ?? null;
}

function pointer(expression: string): Selection {
  if (/~(?![01])/.test(expression)) {
    throw new DragomanError(
      'INVALID_ARGUMENT',
      `--select ${JSON.stringify(expression)}: in a JSON pointer ~ is written ~0`,
    );
  }
  const keys = expression
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  return (value) => {
    let found = value;
    for (const key of keys) {
      if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return null;
      if (Array.isArray(found) && !/^(?:0|[1-9]\d*)$/.test(key)) return null;
      found = (found as { [member: string]: unknown })[key];
    }
    return found;
  };
}
