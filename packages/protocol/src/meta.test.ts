import { describe, expect, test } from 'vitest';
import { isExtensionId, isMetaKey, isReservedMetaKey } from './meta.ts';

describe('_meta keys', () => {
  test.each(['progressToken', 'a', 'a.b-c_d', 'com.example/x', 'com.example/', 'a1/b', 'io.modelcontextprotocol/x'])(
    '[META-14][META-15][META-16] %s is one',
    (key) => expect(isMetaKey(key)).toBe(true),
  );
  test.each(['', '-a', 'a-', '1a/x', 'a-/x', 'a..b/x', '/x', 'a/b/c', 'com.example/-', 'a b'])(
    '[META-14] %j is none',
    (key) => expect(isMetaKey(key)).toBe(false),
  );
  test('[META-18][META-19] reserved prefixes', () => {
    expect(
      ['io.modelcontextprotocol/a', 'dev.mcp/a', 'com.mcp.tools/a', 'progressToken', 'baggage'].every(
        isReservedMetaKey,
      ),
    ).toBe(true);
    expect(['com.example.mcp/a', 'mcp/a', 'com.example/a', 'other'].some(isReservedMetaKey)).toBe(false);
  });
  test('[VER-05] extension ids have a prefix and a name', () => {
    expect(['', 'tasks', '/tasks', 'a/'].some(isExtensionId)).toBe(false);
    expect(isExtensionId('io.modelcontextprotocol/tasks')).toBe(true);
  });
});
