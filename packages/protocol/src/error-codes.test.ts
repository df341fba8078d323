import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { ErrorCode, errorName } from './errors.ts';

const packages = fileURLToPath(new URL('../..', import.meta.url));

/** The sources of all packages, without their tests. */
const sources = readdirSync(packages).flatMap((name) =>
  readdirSync(join(packages, name, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.includes('testing'))
    .map((file) => join(packages, name, 'src', file)),
);

/** The codes of JSON-RPC's range that the text has as numbers, comments aside. */
function codesIn(text: string): number[] {
  const code = text.replace(/\/\*.*?\*\/|\/\/[^\n]*|'[^'\n]*'|`[^`]*`/gs, '');
  return [...code.matchAll(/-32_?\d{3}\b/g)].map(([digits]) => Number(digits.replace('_', '')));
}

test('[ERR-01] JSON-RPC’s own codes have its own meanings', () => {
  const { ParseError, InvalidRequest, MethodNotFound, InvalidParams, InternalError } = ErrorCode;
  expect({ ParseError, InvalidRequest, MethodNotFound, InvalidParams, InternalError }).toEqual({
    ParseError: -32700,
    InvalidRequest: -32600,
    MethodNotFound: -32601,
    InvalidParams: -32602,
    InternalError: -32603,
  });
});

test('[ERR-02] [ERR-05] no source has a code that the protocol does not define, and of -32000 to -32019 only what older servers send', () => {
  const used = new Set(sources.flatMap((file) => codesIn(readFileSync(file, 'utf8'))));
  expect([...used].filter((code) => errorName(code) === undefined)).toEqual([]);
  expect([...used].filter((code) => code <= -32000 && code >= -32019)).toEqual([ErrorCode.LegacyResourceNotFound]);
  // Were nothing found, nothing would be checked.
  expect([...used].sort()).toEqual(Object.values(ErrorCode).sort());
});
