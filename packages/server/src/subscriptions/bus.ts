/**
 * A change, as a pointer: what changed, never what it changed to. Whoever is told of it reads again, so a bus that loses
 * an event or delivers it twice does no harm beyond a late or a needless look.
 */
export type ChangeEvent =
  | { readonly kind: 'tools' | 'prompts' | 'resources' }
  | { readonly kind: 'resource'; readonly uri: string };

/**
 * Carries changes to every open `subscriptions/listen` stream, wherever it is open. {@link LocalBus} serves one process;
 * a fleet of servers shares one that reaches all of them.
 */
export interface Bus {
  /** Tells every subscriber, this process's own included. */
  publish(event: ChangeEvent): void;
  /** @returns ends the subscription; calling it again does nothing. */
  subscribe(subscriber: (event: ChangeEvent) => void): () => void;
}

/**
 * The bus of one process: delivers at once, in the order of publication. A subscriber that throws keeps the event from
 * nobody else; the publisher gets its error.
 */
export class LocalBus implements Bus {
  readonly #subscribers = new Set<{ readonly deliver: (event: ChangeEvent) => void }>();

  publish(event: ChangeEvent): void {
    let failed = false;
    let failure: unknown;
    for (const subscriber of this.#subscribers) {
      try {
        subscriber.deliver(event);
      } catch (error) {
        if (!failed) failure = error;
        failed = true;
      }
    }
    if (failed) throw failure;
  }

  subscribe(subscriber: (event: ChangeEvent) => void): () => void {
    // An entry of its own, so that one function may subscribe twice and leave once.
    const entry = { deliver: subscriber };
    this.#subscribers.add(entry);
    return () => {
      this.#subscribers.delete(entry);
    };
  }
}
