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
});
