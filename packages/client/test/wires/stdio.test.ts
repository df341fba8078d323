import { chmodSync } from 'node:fs';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { type StdioOptions, type StdioWire, stdioWire } from '../../src/wires/stdio.ts';
import { rejection, request, surroundings, watch } from './far-side.ts';
import { lives, serverSource, serve as start, temporary } from './process-far-side.ts';

const directory = temporary();
const open: StdioWire[] = [];

async function serve(body: string, options?: StdioOptions & { readonly setup?: string }): Promise<StdioWire> {
  const wire = await start(body, options);
  open.push(wire);
  return wire;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((wire) => wire.close()));
});
afterAll(() => directory.remove());

const posix = process.platform !== 'win32';
const call = (wire: StdioWire, params: object = {}) =>
  wire.exchange(request('tools/call', { ...params }), surroundings());

describe('messages', () => {
  test('[STDIO-01] a call goes out as one line and its answer comes back', async () => {
    const wire = await serve('answer(message.id, { echo: message })');
    expect(await call(wire, { name: 'x\ny' })).toMatchObject({
      echo: { jsonrpc: '2.0', method: 'tools/call', params: { name: 'x\ny' } },
    });
    expect(wire.kind).toBe('stdio');
  });

  test('[T01] characters that arrive one byte at a time stay whole', async () => {
    const wire = await serve(`
      const bytes = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: { text: 'aß€𝄞' } }) + '\\n');
      let at = 0;
      const next = () => { if (at < bytes.length) process.stdout.write(bytes.subarray(at, ++at), () => setImmediate(next)); };
      next();
    `);
    expect(await call(wire)).toEqual({ text: 'aß€𝄞' });
  });

  test('a message larger than any pipe holds goes out and comes back whole', async () => {
    const wire = await serve('answer(message.id, { text: message.params.text })');
    const text = 'ä'.repeat(1_500_000);
    expect(await call(wire, { text })).toEqual({ text });
  });

  test('[T033] many calls at once are joined to their own answers', async () => {
    const wire = await serve(
      `
      pending.push(message);
      if (pending.length === 200) for (const each of pending.reverse()) answer(each.id, { n: each.params.n });
    `,
      { setup: 'const pending = [];' },
    );
    const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => call(wire, { n })));
    expect(answers).toEqual(Array.from({ length: 200 }, (_, n) => ({ n })));
  });

  test('[STDIO-03] lines that are no messages are skipped with a warning, and the call is answered', async () => {
    const wire = await serve(`
      process.stdout.write('Server ready\\n');
      process.stdout.write(Buffer.from([0x7b, 0xff, 0xfe, 0x0a]));
      answer(message.id, { fine: true });
    `);
    const seen = watch(wire);
    expect(await call(wire)).toEqual({ fine: true });
    expect(seen.kinds()).toEqual(['junk']);
    expect(seen.warnings[0]?.message).toContain('Server ready');
  });

  test('[Z10] a line that is too long is skipped, and the only call that waits is told', async () => {
    const wire = await serve(
      `if (message.params.big) answer(message.id, { text: 'x'.repeat(5000) }); else answer(message.id, { fine: true });`,
      { maxMessageBytes: 4096 },
    );
    const seen = watch(wire);
    expect(await rejection(call(wire, { big: true }))).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      details: { maxMessageBytes: 4096 },
    });
    expect(await call(wire)).toEqual({ fine: true });
    expect(seen.kinds()).toEqual(['too-long']);
  });

  test('[STDIO-12] [STDIO-14] an aborted call is cancelled at the server, and its late answer is no warning', async () => {
    const wire = await serve(
      `
      if (message.method === 'notifications/cancelled') { answer(message.params.requestId, { late: true }); cancelled.push(message.params.requestId); }
      else if (message.params.ask) answer(message.id, { cancelled });
    `,
      { setup: 'const cancelled = [];' },
    );
    const seen = watch(wire);
    const io = surroundings();
    const pending = wire.exchange(request('tools/call'), io);
    const id = (): number => {
      const sent = seen.traces.find((event) => event.type === 'message');
      return sent?.type === 'message' ? (JSON.parse(sent.text) as { id: number }).id : -1;
    };
    await new Promise((resolve) => setImmediate(resolve));
    io.abort();
    expect(await rejection(pending)).toMatchObject({ code: 'ABORTED' });
    expect(await call(wire, { ask: true })).toEqual({ cancelled: [id()] });
    expect(seen.warnings).toEqual([]);
  });

  test('a server that does not read holds nobody up: what was not written yet is taken back', async () => {
    const wire = await stdioWire(
      { command: process.execPath, args: ['-e', 'setTimeout(() => {}, 60_000)'] },
      { closeGrace: 1 },
    );
    open.push(wire);
    const ios = Array.from({ length: 40 }, () => surroundings());
    const calls = ios.map((io) => wire.exchange(request('tools/call', { text: 'x'.repeat(100_000) }), io));
    await new Promise((resolve) => setImmediate(resolve));
    for (const io of ios) io.abort();
    for (const pending of calls) expect(await rejection(pending)).toMatchObject({ code: 'ABORTED' });
  });

  test('what passes is traced in both directions', async () => {
    const wire = await serve('answer(message.id)');
    const seen = watch(wire);
    await call(wire);
    expect(seen.traces.map((event) => (event.type === 'message' ? event.direction : event.type))).toEqual([
      'sent',
      'received',
    ]);
  });
});

describe('starting', () => {
  test('a program that is not on the PATH', async () => {
    const error = await rejection(stdioWire({ command: 'no-such-program-anywhere' }));
    expect(error).toMatchObject({ code: 'CONNECTION_FAILED', details: { code: 'ENOENT' } });
    expect(error.message).toContain('no-such-program-anywhere');
    expect(error.message).toContain('PATH');
  });

  test('a path where there is no file', async () => {
    const error = await rejection(stdioWire({ command: './nothing-here' }));
    expect(error).toMatchObject({ code: 'CONNECTION_FAILED' });
    expect(error.message).toContain('no such file');
  });

  test('a working directory that does not exist is told apart from a missing program', async () => {
    const error = await rejection(stdioWire({ command: process.execPath, cwd: '/no/such/directory' }));
    expect(error).toMatchObject({ code: 'CONNECTION_FAILED' });
    expect(error.message).toContain('working directory /no/such/directory');
  });

  test.runIf(posix)('a file that is not executable', async () => {
    const file = directory.write('plain.mjs', '');
    const error = await rejection(stdioWire({ command: file }));
    expect(error).toMatchObject({ code: 'CONNECTION_FAILED', details: { code: 'EACCES' } });
    expect(error.message).toContain('chmod +x');
  });

  test.runIf(posix)('a script whose interpreter does not exist', async () => {
    const file = directory.write('script', '#!/no/such/interpreter\n');
    chmodSync(file, 0o755);
    const error = await rejection(stdioWire({ command: file }));
    expect(error).toMatchObject({ code: 'CONNECTION_FAILED' });
    expect(error.message).toContain('interpreter');
  });

  test('arguments that no program can take', async () => {
    expect(await rejection(stdioWire({ command: 'node', args: ['a\0b'] }))).toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  test('[P16] variables are merged over the environment of this process, and undefined takes one away', async () => {
    process.env.DRAGOMAN_TEST_KEPT = 'kept';
    process.env.DRAGOMAN_TEST_GONE = 'gone';
    const wire = await stdioWire({
      command: process.execPath,
      args: [
        '-e',
        serverSource(
          'const { env } = process; answer(message.id, { env: [env.DRAGOMAN_TEST_KEPT, env.DRAGOMAN_TEST_GONE, env.NEW] })',
        ),
      ],
      env: { NEW: 'new', DRAGOMAN_TEST_GONE: undefined },
    });
    open.push(wire);
    delete process.env.DRAGOMAN_TEST_KEPT;
    delete process.env.DRAGOMAN_TEST_GONE;
    expect(await call(wire)).toEqual({ env: ['kept', null, 'new'] });
  });

  test('secrets in the command line are masked for people and kept apart in the identity', async () => {
    const wires = await Promise.all(
      ['s3cret', 'other'].map((token) =>
        stdioWire({ command: process.execPath, args: ['-e', '', '--api-token', token, '--mode=x'] }),
      ),
    );
    open.push(...wires);
    const [first, second] = wires as [StdioWire, StdioWire];
    expect(first.target).toMatch(/--api-token \*\*\* --mode=x$/);
    expect(first.identity).not.toContain('s3cret');
    expect(first.identity).not.toBe(second.identity);
  });
});

describe('the end of the process', () => {
  test('[T10] exit rejects everything pending with the code and the end of stderr', async () => {
    const wire = await serve(
      `if (message.id === 1) process.stderr.write('first\\nlast \\u001b[31mwords\\n', () => process.exit(3));`,
    );
    const pending = [call(wire), call(wire)];
    for (const each of pending) {
      const error = await rejection(each);
      expect(error).toMatchObject({ code: 'CONNECTION_CLOSED', details: { exitCode: 3, signal: null } });
      expect(error.details?.stderr).toBe('first\nlast \u001b[31mwords\n');
      expect(error.message).not.toContain('\n');
      expect(error.message).toContain('exited with code 3');
      expect(error.message).toContain('last \\u001b[31mwords');
    }
    expect(await wire.closed).toMatchObject({ by: 'peer', error: { code: 'CONNECTION_CLOSED' } });
    expect(await rejection(call(wire))).toMatchObject({ code: 'CONNECTION_CLOSED', details: { exitCode: 3 } });
  });

  test.each([
    ["throw new Error('no config in /etc/x.json');", /The end of its stderr: Error: no config in \/etc\/x\.json$/],
    ["console.error('a\\n\\nb\\nc\\nd'); process.exit(1);", /The end of its stderr: b \| c \| d$/],
  ])('[T10] the line that names the error is quoted, wherever it stands: %s', async (source, message) => {
    const wire = await stdioWire({ command: process.execPath, args: ['-e', source] });
    open.push(wire);
    expect((await rejection(call(wire))).message).toMatch(message);
  });

  test.runIf(posix)('[T10] death by a signal is named', async () => {
    const wire = await serve(`process.kill(process.pid, 'SIGKILL');`);
    const error = await rejection(call(wire));
    expect(error).toMatchObject({ code: 'CONNECTION_CLOSED', details: { exitCode: null, signal: 'SIGKILL' } });
    expect(error.message).toContain('SIGKILL');
  });

  test('[T10] a process that exits before the first write breaks nothing', async () => {
    const wire = await stdioWire({ command: process.execPath, args: ['-e', 'process.exit(0)'] });
    open.push(wire);
    expect(await wire.closed).toMatchObject({ by: 'peer' });
    expect(await rejection(call(wire))).toMatchObject({ code: 'CONNECTION_CLOSED', details: { exitCode: 0 } });
  });

  test('[T10] writing much to a process that dies meanwhile breaks nothing', async () => {
    const wire = await stdioWire({
      command: process.execPath,
      args: ['-e', 'process.stdin.once("data", () => process.exit(1))'],
    });
    open.push(wire);
    const calls = Array.from({ length: 20 }, () => call(wire, { text: 'x'.repeat(200_000) }));
    for (const each of calls) expect(await rejection(each)).toMatchObject({ code: 'CONNECTION_CLOSED' });
  });

  test('an answer written right before the exit is not lost', async () => {
    const wire = await serve(`
      process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: { text: 'x'.repeat(300000) } }) + '\\n', () => process.exit(0));
    `);
    expect(await call(wire)).toMatchObject({ text: expect.stringMatching(/^x{300000}$/) });
    expect(await wire.closed).toMatchObject({ by: 'peer' });
  });

  test('[STDIO-18] a server that closes its stdout is gone, and is ended', async () => {
    const wire = await serve(`require('node:fs').closeSync(1); setInterval(() => {}, 1000);`, { closeGrace: 20 });
    const error = await rejection(call(wire));
    expect(error.message).toContain('closed its stdout');
    await wire.close();
    expect(lives(wire.pid)).toBe(false);
  });

  test.runIf(posix)('[T10] a process that exits is gone even where what it started holds its stdout open', async () => {
    const wire = await serve(`
      const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: ['ignore', 'inherit', 'ignore'] });
      process.stderr.write(String(child.pid), () => process.exit(0));
    `);
    const error = await rejection(call(wire));
    expect(error).toMatchObject({ code: 'CONNECTION_CLOSED', details: { exitCode: 0 } });
    const pid = Number(error.details?.stderr);
    expect(pid).toBeGreaterThan(0);
    await wire.close();
    expect(lives(pid)).toBe(false);
  });

  test('[T05] stderr is drained from the start, however much comes, and only its end is kept', async () => {
    const wire = await serve(`process.stderr.write('y'.repeat(2_000_000) + 'the end', () => answer(message.id));`, {
      stderrBytes: 1000,
    });
    let heard = 0;
    wire.observe?.({
      stderr: (text) => {
        heard += text.length;
      },
    });
    await call(wire);
    await wire.close();
    expect(wire.stderrTail()).toHaveLength(1000);
    expect(wire.stderrTail().endsWith('the end')).toBe(true);
    expect(heard).toBe(2_000_007);
  });
});

describe('closing', () => {
  test('[T122] [STDIO-15] stdin is closed first, which a good server takes as the sign to leave', async () => {
    const wire = await serve('answer(message.id)', {
      setup: `process.stdin.on('end', () => process.stderr.write('bye', () => process.exit(0)));`,
      closeGrace: 10_000,
    });
    await call(wire);
    await wire.close();
    expect(wire.stderrTail()).toBe('bye');
    expect(await wire.closed).toEqual({ by: 'local' });
    expect(lives(wire.pid)).toBe(false);
  });

  test('close rejects what is pending, is the same promise twice, and refuses later calls', async () => {
    const wire = await serve('');
    const pending = call(wire);
    const closing = wire.close();
    expect(wire.close()).toBe(closing);
    expect(await rejection(pending)).toMatchObject({ code: 'CONNECTION_CLOSED' });
    await closing;
    expect(await rejection(call(wire))).toMatchObject({ code: 'CONNECTION_CLOSED' });
  });

  test('[P03] a server that ignores the end of stdin gets a signal', async () => {
    const wire = await serve('answer(message.id)', {
      setup: `setInterval(() => {}, 1000); process.on('SIGTERM', () => process.stderr.write('terminated', () => process.exit(0)));`,
      closeGrace: 20,
      terminateGrace: 10_000,
    });
    await call(wire);
    await wire.close();
    if (posix) expect(wire.stderrTail()).toBe('terminated');
    expect(lives(wire.pid)).toBe(false);
  });

  test('[P71] [STDIO-16] a server that ignores SIGTERM too is killed', async () => {
    const wire = await serve('answer(message.id)', {
      setup: `setInterval(() => {}, 1000); process.on('SIGTERM', () => {});`,
      closeGrace: 20,
      terminateGrace: 50,
    });
    await call(wire);
    await wire.close();
    expect(lives(wire.pid)).toBe(false);
  });

  test.runIf(posix)(
    '[T08] what a launcher started is ended with it, even where it ignores everything but SIGKILL',
    async () => {
      const stubborn = directory.write(
        'stubborn.cjs',
        `process.on('SIGTERM', () => {}); process.on('SIGHUP', () => {}); setInterval(() => {}, 1000);\n${serverSource('answer(message.id, { pid: process.pid })')}`,
      );
      const wire = await stdioWire(
        { command: 'sh', args: ['-c', `"${process.execPath}" "${stubborn}"; exit 0`] },
        { closeGrace: 20, terminateGrace: 50 },
      );
      open.push(wire);
      const { pid } = (await call(wire)) as { pid: number };
      expect(pid).not.toBe(wire.pid);
      await wire.close();
      expect(lives(pid)).toBe(false);
      expect(lives(wire.pid)).toBe(false);
    },
  );

  test.runIf(posix)('[T08] a grandchild that outlives its launcher is ended as well', async () => {
    const wire = await serve(
      `const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
       child.once('spawn', () => answer(message.id, { pid: child.pid }));`,
      { setup: `process.stdin.on('end', () => process.exit(0));`, terminateGrace: 2000 },
    );
    const { pid } = (await call(wire)) as { pid: number };
    expect(lives(pid)).toBe(true);
    await wire.close();
    expect(lives(pid)).toBe(false);
  });
});

test.each([
  ['args', { command: process.execPath, args: [7] }],
  ['args', { command: process.execPath, args: 'x' }],
  ['env', { command: process.execPath, env: 7 }],
])('%s of the wrong kind start nothing', async (name, target) => {
  let started = 0;
  const spawn = () => {
    started += 1;
    throw new Error('started');
  };
  const error = await rejection(stdioWire(target as never, { spawn }));
  expect(error).toMatchObject({ code: 'INVALID_ARGUMENT' });
  expect(error.message).toContain(name);
  expect(started).toBe(0);
});

test.each(['closeGrace', 'terminateGrace', 'stderrBytes', 'maxMessageBytes', 'restarts', 'restartWindow'])(
  'a limit that is none is refused: %s',
  async (name) => {
    for (const value of [-1, Number.NaN, '5']) {
      const error = await rejection(stdioWire({ command: process.execPath }, { [name]: value }));
      expect(error).toMatchObject({ code: 'INVALID_ARGUMENT' });
    }
  },
);
