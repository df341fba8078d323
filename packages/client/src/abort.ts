/** The calls that wait for one signal. */
class Fan {
  readonly #listeners = new Set<() => void>();

  get size(): number {
    return this.#listeners.size;
  }

  add(listener: () => void): void {
    this.#listeners.add(listener);
  }

  delete(listener: () => void): void {
    this.#listeners.delete(listener);
  }

  handleEvent(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

const fans = new WeakMap<AbortSignal, Fan>();

/**
 * Calls a function when a signal aborts, until {@link unlistenAbort}. However many calls share a signal, it bears one
 * listener: platforms warn of a leak when there are more than a few.
 */
export function listenAbort(signal: AbortSignal, listener: () => void): void {
  let fan = fans.get(signal);
  if (fan === undefined) {
    fan = new Fan();
    fans.set(signal, fan);
    signal.addEventListener('abort', fan);
  }
  fan.add(listener);
}

/** Takes back what {@link listenAbort} did. Nothing where it did nothing. */
export function unlistenAbort(signal: AbortSignal, listener: () => void): void {
  const fan = fans.get(signal);
  if (fan === undefined) return;
  fan.delete(listener);
  if (fan.size > 0) return;
  fans.delete(signal);
  signal.removeEventListener('abort', fan);
}

/**
 * What a promise comes to, or `error()` as soon as a signal aborts: whoever gives up does not wait until everything below
 * has noticed. What the promise comes to later is not looked at.
 */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal, error: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const done = (): void => unlistenAbort(signal, onAbort);
    const onAbort = (): void => {
      done();
      reject(error());
    };
    if (signal.aborted) onAbort();
    else listenAbort(signal, onAbort);
    promise.then(resolve, reject).finally(done);
  });
}
