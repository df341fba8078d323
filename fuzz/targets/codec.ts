import {
  isErrorResponse,
  isMalformed,
  isRequest,
  McpError,
  parseMessage,
  type Request,
  serializeError,
  serializeNotification,
  serializeRequest,
  serializeResult,
} from '@dragoman/protocol';
import { holds, jsonOf, same, type Target, textOf } from '../target.ts';

/** JSON-RPC messages, read and written. */
export const target: Target = {
  name: 'codec',
  seeds: [
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{}}}',
    '{"jsonrpc":"2.0","id":"a","result":{"resultType":"complete","content":[]}}',
    '{"jsonrpc":"2.0","id":0,"error":{"code":-32602,"message":"no","data":{"a":[1]}}}',
    '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"","progress":0.5}}',
    '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":""}}',
    '[{"jsonrpc":"2.0","id":1,"method":"ping"}]',
    '{"jsonrpc":"2.0","id":1.5,"method":"a","params":[]}',
    '{"jsonrpc":"1.0","id":1,"method":1,"params":null,"result":null,"error":null}',
  ],
  words: [
    '"jsonrpc":"2.0"',
    '"id":',
    '"method":',
    '"params":',
    '"result":',
    '"error":',
    '"code":',
    '"message":',
    '"_meta":',
  ],
  run(input) {
    const text = textOf(input);
    const json = jsonOf(input);
    const message = parseMessage(text);
    if (isMalformed(message)) {
      same('the code of what is no message', message.error.code, json === undefined ? -32700 : -32600);
      holds(typeof message.error.message === 'string' && message.error.message.length < 1000, 'a long reason');
      if (message.id !== undefined) line(serializeError(message.id, message.error));
      return;
    }
    holds(json !== undefined, 'a message of what is no JSON');
    if ('method' in message) {
      const request: Request = { method: message.method, params: message.params ?? {} };
      const written = isRequest(message) ? serializeRequest(message.id, request) : serializeNotification(request);
      same('what is written is read', again(written), {
        jsonrpc: '2.0',
        ...(isRequest(message) ? { id: message.id } : undefined),
        ...request,
      });
    } else if (!isErrorResponse(message)) {
      same('a result', again(serializeResult(message.id, message.result)), {
        jsonrpc: '2.0',
        id: message.id,
        result: message.result,
      });
    } else {
      const { code, message: words, data } = message.error;
      const id = message.id ?? undefined;
      same('an error', again(serializeError(id, new McpError(code, words, { data }))), {
        jsonrpc: '2.0',
        ...(id === undefined ? undefined : { id }),
        error: { code, message: words, ...(data === undefined ? undefined : { data }) },
      });
    }
  },
};

/** Every message stands on one line. */
function line(text: string): string {
  holds(!/[\r\n]/.test(text), 'a message of two lines');
  return text;
}

const again = (text: string): unknown => JSON.parse(line(text));
