import { createHook } from 'node:async_hooks';

/** Kinds of resources that a process must give back. */
const counted = new Set([
  'TCPWRAP',
  'TCPSERVERWRAP',
  'PIPEWRAP',
  'PIPESERVERWRAP',
  'PROCESSWRAP',
  'Timeout',
  'GETADDRINFOREQWRAP',
]);

/** What was taken since the census began and has not been given back. */
export interface Census {
  /** One line for each: its kind, and for a timer who set it. */
  left(): string[];
  /** Waits until nothing is left; throws with what is. Some things are given back a turn of the event loop later. */
  empty(): Promise<void>;
  /** Waits until nothing of one kind is left; `again` is called as long as there is. */
  without(kind: string, again: () => void): Promise<void>;
  end(): void;
}

/** Timers that tests and their runner set are their own business. */
const ours = /packages\/(?:protocol|client|server)\/src\/|node_modules\/undici\//;
/** One for the whole process each: what Node keeps the current date by, and undici the time. */
const shared = / at utcDate |undici\/lib\/util\/timers\.js/;

/**
 * Counts sockets, servers, pipes, processes and timers from here on, those too that do not keep the process alive, which
 * `process.getActiveResourcesInfo()` leaves out.
 */
export function census(): Census {
  const live = new Map<number, string>();
  const hook = createHook({
    init(id, type) {
      if (!counted.has(type)) return;
      if (type !== 'Timeout') {
        live.set(id, type);
        return;
      }
      const { stackTraceLimit } = Error;
      Error.stackTraceLimit = 30;
      const stack = new Error().stack ?? '';
      Error.stackTraceLimit = stackTraceLimit;
      const frame = shared.test(stack) ? undefined : stack.split('\n').find((line) => ours.test(line));
      if (frame !== undefined) live.set(id, `Timeout ${frame.trim()}`);
    },
    destroy(id) {
      live.delete(id);
    },
  });
  hook.enable();
  const left = (): string[] => [...live.values()].sort();
  const gone = async (isLeft: () => boolean, again?: () => void): Promise<void> => {
    const until = performance.now() + 5_000;
    while (isLeft()) {
      again?.();
      if (performance.now() > until) throw new Error(`not given back:\n${left().join('\n')}`);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return {
    left,
    empty: () => gone(() => live.size > 0),
    without: (kind, again) => gone(() => [...live.values()].includes(kind), again),
    end: () => hook.disable(),
  };
}
