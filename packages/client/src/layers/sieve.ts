import { DragomanError, type JsonObject, type ListMember, type Result, show } from '@dragoman/protocol';
import type { Warning } from '../events.ts';

/** Items of one page that are reported one by one: nobody reads ten thousand warnings, and a server must not cost them. */
export const REPORTED = 100;

/**
 * Reads a page of a list item by item (server/tools, "Data Types" and the like): what can be used stays, unknown members
 * included, and what cannot is left out with a warning that says which item and why. Where nothing is wrong the result is
 * returned as it came.
 *
 * @throws DragomanError `PROTOCOL_VIOLATION` where there is no list at all: an empty one would hide that.
 */
export function sieve(result: Result, member: ListMember, method: string, warn: (warning: Warning) => void): Result {
  const items: unknown = result[member];
  if (!Array.isArray(items)) {
    throw new DragomanError(
      'PROTOCOL_VIOLATION',
      `The server's answer to ${method} has no list: ${JSON.stringify(member)} is ${items === null || items === undefined ? 'missing' : typeof items}`,
      { details: { method, member } },
    );
  }
  const judge = judges[member];
  if (judge === undefined) return result;
  let kept: unknown[] | undefined;
  let reported = 0;
  for (let at = 0; at < items.length; at++) {
    const item: unknown = items[at];
    const verdict = isObject(item)
      ? judge(item)
      : { drop: `it is ${item === null ? 'null' : `no object but ${typeof item}`}` };
    if (verdict === undefined) {
      kept?.push(item);
      continue;
    }
    kept ??= items.slice(0, at);
    reported += 1;
    if ('drop' in verdict) {
      if (reported <= REPORTED) warn(report('invalid-item', method, at, item, verdict.drop, 'It was left out'));
    } else {
      if (reported <= REPORTED) warn(report('lenient-item', method, at, item, verdict.keep, 'It was kept'));
      kept.push(verdict.as);
    }
  }
  if (reported > REPORTED) {
    warn({
      kind: 'invalid-item',
      message: `${reported - REPORTED} more items of this page of ${method} break the schema`,
      details: { method, more: reported - REPORTED },
    });
  }
  return kept === undefined ? result : { ...result, [member]: kept };
}

/** Undefined: all right. Else why it is dropped, or why it is odd and as what it is kept. */
type Judgement = { readonly drop: string } | { readonly keep: string; readonly as: JsonObject } | undefined;

const judges: { readonly [member in ListMember]?: (item: JsonObject) => Judgement } = {
  tools: judgeTool,
  prompts: (item) => (typeof item.name === 'string' ? undefined : { drop: 'its name is no string' }),
  resources: (item) => judgeResource(item, 'uri'),
  resourceTemplates: (item) => judgeResource(item, 'uriTemplate'),
};

function judgeTool(tool: JsonObject): Judgement {
  if (typeof tool.name !== 'string') return { drop: 'its name is no string' };
  const schema = tool.inputSchema;
  if (!isObject(schema))
    return { drop: `its inputSchema is ${schema === null ? 'null' : schema === undefined ? 'missing' : 'no object'}` };
  if (schema.type === 'object') return undefined;
  if (schema.type === undefined || schema.type === null) {
    return {
      keep: 'its inputSchema has no type at the root; it was read as "object"',
      as: { ...tool, inputSchema: { ...schema, type: 'object' } },
    };
  }
  return { drop: `its inputSchema is of type ${show(schema.type)}, not "object"` };
}

function judgeResource(item: JsonObject, address: 'uri' | 'uriTemplate'): Judgement {
  const uri = item[address];
  if (typeof uri !== 'string') return { drop: `its ${address} is no string` };
  if (typeof item.name === 'string') return undefined;
  return { keep: `it has no name; its ${address} stands in`, as: { ...item, name: uri } };
}

function report(
  kind: 'invalid-item' | 'lenient-item',
  method: string,
  at: number,
  item: unknown,
  reason: string,
  what: string,
): Warning {
  const name = isObject(item) && typeof item.name === 'string' ? item.name : undefined;
  const which = name === undefined ? `Item ${at}` : `Item ${at} (${show(name)})`;
  return { kind, message: `${which} of ${method}: ${reason}. ${what}`, details: { method, index: at, name, reason } };
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
