import type { InputRequest } from '@dragoman/protocol';

type Members = { readonly [member: string]: unknown };

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Whether an answer has the shape that the question's method has (schema, `ElicitResult`, `CreateMessageResult`,
 * `ListRootsResult`). Returns what is wrong, or undefined. Unknown members pass.
 */
export function checkAnswer(method: InputRequest['method'], answer: unknown): string | undefined {
  if (!isObject(answer)) return 'must be an object';
  // Null for a member that may be missing is absence.
  if ((answer._meta ?? undefined) !== undefined && !isObject(answer._meta)) return '_meta must be an object';
  switch (method) {
    case 'elicitation/create':
      return checkElicit(answer);
    case 'sampling/createMessage':
      return checkMessage(answer);
    case 'roots/list':
      return checkRoots(answer);
  }
}

function checkElicit(answer: Members): string | undefined {
  const { action, content } = answer;
  if (action !== 'accept' && action !== 'decline' && action !== 'cancel')
    return 'action must be accept, decline or cancel';
  // Content belongs to an accepted form alone; elsewhere nobody looks at it.
  if (action !== 'accept' || content === undefined || content === null) return undefined;
  if (!isObject(content)) return 'content must be an object';
  for (const field of Object.keys(content)) {
    if (!isFieldValue(content[field])) {
      return `content[${JSON.stringify(field)}] must be a string, a number, a boolean or an array of strings`;
    }
  }
  return undefined;
}

function isFieldValue(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true;
    case 'number':
      return Number.isFinite(value);
    default:
      return Array.isArray(value) && value.every((item) => typeof item === 'string');
  }
}

function checkMessage(answer: Members): string | undefined {
  const { role, content, model } = answer;
  if (role !== 'user' && role !== 'assistant') return 'role must be user or assistant';
  if (typeof model !== 'string') return 'model must be a string';
  const blocks = Array.isArray(content) ? content : [content];
  return blocks.every((block) => isObject(block) && typeof block.type === 'string')
    ? undefined
    : 'content must be a content block or an array of them';
}

function checkRoots(answer: Members): string | undefined {
  const { roots } = answer;
  if (!Array.isArray(roots)) return 'roots must be an array';
  return roots.every((root) => isObject(root) && typeof root.uri === 'string')
    ? undefined
    : 'each root must have a uri';
}
