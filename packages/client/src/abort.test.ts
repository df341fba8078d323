import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { settled } from '../test/support/manual-clock.ts';
import { ScriptedWire, silence, text } from '../test/support/scripted-wire.ts';
import { listenAbort, unlistenAbort } from './abort.ts';
import { Client } from './client.ts';

test('a hundred calls that share a signal are one listener, and none when they are over', async () => {
  const controller = new AbortController();
  const client = new Client(new ScriptedWire(silence), { era: 'modern' });
  const warnings: unknown[] = [];
  const onWarning = (warning: unknown): void => void warnings.push(warning);
  process.on('warning', onWarning);
  const calls = Array.from({ length: 100 }, (_, at) =>
    client
      .callTool(`t${at}`, {}, { signal: controller.signal, maxTime: 1e6 })
      .catch(({ code }: { code: string }) => code),
  );
  await settled();
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1);
  controller.abort();
  expect(new Set(await Promise.all(calls))).toEqual(new Set(['ABORTED']));
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  process.off('warning', onWarning);
  expect(warnings).toEqual([]);
});

test('a call that is answered leaves no listener', async () => {
  const { signal } = new AbortController();
  const client = new Client(new ScriptedWire(() => text('ok')), { era: 'modern' });
  await client.callTool('a', {}, { signal });
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('taking back what was never done does nothing', () => {
  const controller = new AbortController();
  const heard: string[] = [];
  const one = (): void => void heard.push('one');
  const two = (): void => void heard.push('two');
  unlistenAbort(controller.signal, one);
  listenAbort(controller.signal, one);
  listenAbort(controller.signal, two);
  unlistenAbort(controller.signal, one);
  controller.abort();
  expect(heard).toEqual(['two']);
});
