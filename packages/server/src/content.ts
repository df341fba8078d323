import { parseMediaType } from '@dragoman/protocol';

type Members = { readonly [member: string]: unknown };

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Whether a text is Base64 with its padding (RFC 4648 §4). */
export const isBase64 = (text: unknown): text is string =>
  typeof text === 'string' && text.length % 4 === 0 && base64.test(text);

/**
 * Says what is wrong with a content block that a handler returned, or undefined (server/tools, "Tool Result";
 * server/prompts, "PromptMessage"). A type that the protocol does not know passes: it is an extension's.
 */
export function blockProblem(block: unknown): string | undefined {
  if (!isObject(block) || typeof block.type !== 'string') return 'a content block without a type';
  switch (block.type) {
    case 'text':
      return typeof block.text === 'string' ? undefined : 'a text block whose text is no string';
    case 'image':
    case 'audio':
      return mediaProblem(block);
    case 'resource_link':
      if (typeof block.uri !== 'string') return 'a resource link whose uri is no string';
      return typeof block.name === 'string' ? undefined : 'a resource link without a name';
    case 'resource':
      return embeddedProblem(block.resource);
    default:
      return undefined;
  }
}

function mediaProblem({ type, data, mimeType }: Members): string | undefined {
  if (!isBase64(data)) return `an ${type} block whose data is no Base64 text`;
  return typeof mimeType === 'string' && parseMediaType(mimeType) !== undefined
    ? undefined
    : `an ${type} block whose mimeType is ${JSON.stringify(mimeType) ?? 'missing'}`;
}

function embeddedProblem(resource: unknown): string | undefined {
  if (!isObject(resource) || typeof resource.uri !== 'string') return 'an embedded resource whose uri is no string';
  return typeof resource.text === 'string' || isBase64(resource.blob)
    ? undefined
    : 'an embedded resource with neither text nor a blob in Base64';
}

/** Says what is wrong with a message of a prompt, or undefined (schema, `PromptMessage`). */
export function messageProblem(message: unknown): string | undefined {
  if (!isObject(message)) return 'a message that is no object';
  const { role, content } = message;
  if (role !== 'user' && role !== 'assistant') {
    return `a message whose role is ${JSON.stringify(role) ?? 'missing'}; it is "user" or "assistant"`;
  }
  const problem = blockProblem(content);
  return problem === undefined ? undefined : `a message whose content is ${problem}`;
}
