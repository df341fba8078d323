import type { JsonRpcRequest } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { isClaimed, isModernHeader, legacyRefusal } from './era.ts';

const request = (method: string, params?: JsonRpcRequest['params']): JsonRpcRequest =>
  params === undefined ? { jsonrpc: '2.0', id: 1, method } : { jsonrpc: '2.0', id: 1, method, params };

test('the claim is the version in _meta, whatever it says', () => {
  const key = 'io.modelcontextprotocol/protocolVersion';
  expect(isClaimed(request('x', { _meta: { [key]: '2026-07-28' } }))).toBe(true);
  expect(isClaimed(request('x', { _meta: { [key]: 'v999' } }))).toBe(true);
  expect(isClaimed(request('x', { _meta: {} }))).toBe(false);
  expect(isClaimed(request('x', { _meta: null }))).toBe(false);
  expect(isClaimed(request('x'))).toBe(false);
});

test('a header speaks for an older revision only where it names one', () => {
  expect(isModernHeader('2026-07-28')).toBe(true);
  expect(isModernHeader('v999.0.0')).toBe(true);
  expect(isModernHeader('2025-11-25')).toBe(false);
  expect(isModernHeader('2024-11-05')).toBe(false);
});

test('[ERA-24] [T019] whatever answers initialize names the versions that are served', () => {
  expect(legacyRefusal(request('initialize', { protocolVersion: '2025-06-18' }), undefined)).toMatchObject({
    code: -32022,
    data: { supported: ['2026-07-28'], requested: '2025-06-18' },
  });
  expect(legacyRefusal(request('initialize'), undefined).data).toEqual({
    supported: ['2026-07-28'],
    requested: 'none',
  });
  expect(legacyRefusal(request('initialize', { protocolVersion: 7 }), '2025-03-26').data).toMatchObject({
    requested: '2025-03-26',
  });
});

test('[ERA-26] other requests are refused by their header, or by its absence', () => {
  expect(legacyRefusal(request('tools/list'), '2025-11-25')).toMatchObject({ code: -32022 });
  const headerless = legacyRefusal(request('tools/list'), undefined);
  expect(headerless.code).toBe(-32020);
  expect(headerless.message).toContain('2026-07-28');
});
