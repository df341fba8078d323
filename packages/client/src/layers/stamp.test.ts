import { type Exchange, McpError, MODERN, type Request, type Result } from '@dragoman/protocol';
import { describe, expect, test } from 'vitest';
import { ScriptedWire, text } from '../../test/support/scripted-wire.ts';
import { Acquaintance } from '../acquaintance.ts';
import { systemClock } from '../clock.ts';
import { ignore, never } from '../io.ts';
import { MemoryVerdicts } from '../verdicts.ts';
import { chooseVersion, type StampState, stamp, supportedVersions } from './stamp.ts';

const refusal = (supported: unknown): McpError => new McpError(-32022, 'no', { data: { supported, requested: 'x' } });

describe('another version', () => {
  test('[VER-03][VER-09] is chosen once and kept to', async () => {
    const versions: unknown[] = [];
    const next: Exchange = async ({ params }: Request): Promise<Result> => {
      const version = params._meta?.['io.modelcontextprotocol/protocolVersion'];
      versions.push(version);
      if (version !== MODERN) throw refusal([MODERN]);
      return text('ok');
    };
    const changed: string[] = [];
    const state: StampState = {
      version: '2027-01-01',
      clientInfo: { name: 'me', version: '1' },
      capabilities: {},
      timeout: 1,
      logLevel: undefined,
      onVersion: (version) => changed.push(version),
    };
    const exchange = stamp(next, state);
    const io = { signal: never, notify: ignore };
    await exchange({ method: 'tools/list', params: {} }, io);
    await exchange({ method: 'tools/list', params: {} }, io);
    expect(versions).toEqual(['2027-01-01', MODERN, MODERN]);
    expect(changed).toEqual([MODERN]);
  });

  test('is remembered, where the server was met', async () => {
    const verdicts = new MemoryVerdicts();
    const wire = new ScriptedWire(() => text('ok'), 'http', 'one');
    const versions: string[] = [];
    const acquaintance = new Acquaintance(wire.exchange, {
      wire,
      clock: systemClock,
      verdicts,
      ask: true,
      startTimeout: undefined,
      storeTimeout: 1000,
      maxTime: 0,
      legacyAdapter: undefined,
      warn: ignore,
      setVersion: (version) => versions.push(version),
      setBase: ignore,
    });
    acquaintance.versionChanged('2027-01-01');
    expect(verdicts.get('one')).toBeUndefined();
    verdicts.set('one', { era: 'modern', version: MODERN, at: 0 });
    await acquaintance.meet(never);
    await acquaintance.meet(never);
    expect(versions).toEqual([MODERN]);
    acquaintance.versionChanged('2027-01-01');
    expect(acquaintance.info.version).toBe('2027-01-01');
    expect(verdicts.get('one')).toMatchObject({ version: '2027-01-01' });
  });
});

test.each([
  ['no list', undefined],
  ['no array', MODERN],
  ['no strings', [1, null]],
  ['nothing', []],
])('[T013] a refusal with %s says nothing', (_name, supported) => {
  expect(supportedVersions(refusal(supported))).toBeUndefined();
});

test.each([null, 'x', 7])('[T013] nor does one whose data is %j', (data) => {
  expect(supportedVersions(new McpError(-32022, 'no', { data }))).toBeUndefined();
});

test('[T012] only versions with per-request metadata are chosen', () => {
  expect(chooseVersion(['2025-11-25', MODERN])).toBe(MODERN);
  expect(chooseVersion(['2025-11-25', 'DRAFT'])).toBeUndefined();
});
