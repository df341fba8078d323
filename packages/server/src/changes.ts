import type { ChangeEvent } from './subscriptions/bus.ts';

/**
 * Says that something changed. Registrations and handles do so by themselves; this is for changes that the server cannot
 * see, such as those of a resource's contents. Changes made in one go are told once.
 */
export class Changes {
  readonly #publish: (event: ChangeEvent) => void;
  readonly #kinds = new Set<'tools' | 'prompts' | 'resources'>();
  readonly #uris = new Set<string>();
  #scheduled = false;

  constructor(publish: (event: ChangeEvent) => void) {
    this.#publish = publish;
  }

  /** The list of tools changed. */
  tools(): void {
    this.#kinds.add('tools');
    this.#schedule();
  }

  /** The list of prompts changed. */
  prompts(): void {
    this.#kinds.add('prompts');
    this.#schedule();
  }

  /** The list of resources or of resource templates changed. */
  resources(): void {
    this.#kinds.add('resources');
    this.#schedule();
  }

  /** The contents of a resource changed. */
  resource(uri: string): void {
    this.#uris.add(uri);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => this.#flush());
  }

  #flush(): void {
    this.#scheduled = false;
    const kinds = [...this.#kinds];
    const uris = [...this.#uris];
    this.#kinds.clear();
    this.#uris.clear();
    for (const kind of kinds) this.#publish({ kind });
    for (const uri of uris) this.#publish({ kind: 'resource', uri });
  }
}
