import { describe, expect, test } from 'vitest';
import {
  DragomanError,
  errorName,
  headerMismatch,
  httpStatusOf,
  invalidParams,
  McpError,
  methodNotFound,
  missingCapability,
  unsupportedVersion,
} from './errors.ts';

describe('errors', () => {
  test('[ERR-07][ERR-08][ERR-09][ERR-12] codes, data and HTTP statuses', () => {
    expect([httpStatusOf(headerMismatch('x')), headerMismatch('x').code]).toEqual([400, -32020]);
    const capability = missingCapability('x', { sampling: {} });
    expect([httpStatusOf(capability), capability.code, capability.data]).toEqual([
      400,
      -32021,
      { requiredCapabilities: { sampling: {} } },
    ]);
    const version = unsupportedVersion('v9', ['2026-07-28']);
    expect([httpStatusOf(version), version.code, version.data]).toEqual([
      400,
      -32022,
      { supported: ['2026-07-28'], requested: 'v9' },
    ]);
    expect([httpStatusOf(methodNotFound('x')), methodNotFound('x').code]).toEqual([404, -32601]);
  });

  test('[T022] -32602 goes with 200 unless it says otherwise', () => {
    expect(httpStatusOf(invalidParams('x'))).toBe(200);
    expect(httpStatusOf(new McpError(-32602, 'x', { httpStatus: 400 }))).toBe(400);
  });

  test('[ERR-04] only the codes of the protocol have names', () => {
    expect(errorName(-32020)).toBe('HEADER_MISMATCH');
    expect(errorName(-32002)).toBe('RESOURCE_NOT_FOUND');
    expect(errorName(-32001)).toBeUndefined();
  });

  test('what was thrown is normalised once, and its text does not cross the wire', () => {
    const known = new McpError(1, 'x');
    expect(McpError.from(known)).toBe(known);
    const secret = new Error('password');
    expect(McpError.from(secret)).toMatchObject({ code: -32603, cause: secret });
    expect(JSON.stringify(McpError.from(secret).toObject())).not.toContain('password');
    expect(DragomanError.from(secret)).toMatchObject({ code: 'CONNECTION_FAILED', message: 'password', cause: secret });
    expect(DragomanError.from(known)).toBe(known);
  });

  test('[BASE-10] an error that cannot be written on the wire is normalised too', () => {
    const odd = [
      new McpError('E' as unknown as number, 'x'),
      new McpError(undefined as unknown as number, 'x'),
      new McpError(1.5, 'x'),
      Object.defineProperty(new McpError(1, 'x'), 'message', { value: 5 }),
      Object.defineProperty(new McpError(1, 'x'), 'message', {
        get: () => {
          throw new Error('a getter that throws');
        },
      }),
      new Proxy(new McpError(1, 'x'), {
        get: () => {
          throw new Error('a trap that throws');
        },
      }),
      Object.create(null),
      Symbol('x'),
      undefined,
    ];
    for (const reason of odd) {
      const error = McpError.from(reason);
      expect(error.toObject()).toEqual({ code: -32603, message: 'Internal error' });
      expect(error.cause).toBe(reason);
    }
    expect(DragomanError.from(Object.create(null)).message).toBe('something without a text was thrown');
  });

  test('a status that cannot stand over an error gives way to that of the code', () => {
    for (const httpStatus of [
      0,
      99,
      101,
      199,
      202,
      204,
      301,
      304,
      401,
      407,
      600,
      9999,
      Number.NaN,
      404.5,
      '404' as never,
    ]) {
      expect(httpStatusOf(new McpError(-32602, 'x', { httpStatus }))).toBe(200);
      expect(httpStatusOf(new McpError(-32600, 'x', { httpStatus }))).toBe(400);
    }
    for (const httpStatus of [200, 400, 429, 503, 599]) {
      expect(httpStatusOf(new McpError(-32600, 'x', { httpStatus }))).toBe(httpStatus);
    }
  });
});
