import { DragomanError } from '@dragoman/protocol';
import type { Listed, Listing } from './listing.ts';
import { sameRow } from './row.ts';

/** What was registered, to be changed later. Each change is told to listeners, if clients can see it at all. */
export interface Handle<Changes> {
  /** The name, URI or URI template under which it was registered. */
  readonly name: string;
  /** Whether clients can see and use it. */
  readonly enabled: boolean;
  /**
   * Changes what is named and keeps the rest; a member that is given as undefined goes away. Calls that are under way
   * end as they began.
   *
   * @throws DragomanError as registration does, and then nothing is changed; `INVALID_ARGUMENT` after `remove()`.
   */
  update(changes: Changes): void;
  /** Hides it: it is not listed, and using it is an error as if it were not there. */
  disable(): void;
  /** Takes `disable()` back. Its place in the list is the old one. */
  enable(): void;
  /** Removes it for good; its name is free again. */
  remove(): void;
}

/** How a handle makes a new entry from changes. */
export interface Revision<E extends Listed, Changes> {
  readonly listing: Listing<E>;
  /** Tells listeners that the list changed. */
  readonly announce: () => void;
  /** Compiles the entry with changes applied, for the same name and place. */
  readonly compile: (entry: E, changes: Changes) => E;
}

/** The one handle there is; its kinds differ in how they compile. */
export class EntryHandle<E extends Listed, Changes> implements Handle<Changes> {
  readonly #revision: Revision<E, Changes>;
  #entry: E;
  #removed = false;

  constructor(revision: Revision<E, Changes>, entry: E) {
    this.#revision = revision;
    this.#entry = entry;
  }

  get name(): string {
    return this.#entry.key;
  }

  get enabled(): boolean {
    return this.#entry.enabled && !this.#removed;
  }

  update(changes: Changes): void {
    if (this.#removed) {
      throw new DragomanError(
        'INVALID_ARGUMENT',
        `${JSON.stringify(this.name)} was removed and cannot be updated; register it again`,
      );
    }
    const before = this.#entry;
    this.#put({ ...this.#revision.compile(before, changes), enabled: before.enabled });
    if (before.enabled && !sameRow(before.row, this.#entry.row)) this.#revision.announce();
  }

  enable(): void {
    this.#switch(true);
  }

  disable(): void {
    this.#switch(false);
  }

  remove(): void {
    if (this.#removed) return;
    this.#removed = true;
    this.#revision.listing.delete(this.name);
    if (this.#entry.enabled) this.#revision.announce();
  }

  #switch(enabled: boolean): void {
    if (this.#removed || this.#entry.enabled === enabled) return;
    this.#put({ ...this.#entry, enabled });
    this.#revision.announce();
  }

  #put(entry: E): void {
    this.#entry = entry;
    this.#revision.listing.set(entry);
  }
}
