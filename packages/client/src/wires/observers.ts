import { printable } from './printable.ts';
import type { WireObserver, WireTrace, WireWarning, WireWarningKind } from './wire.ts';

/** The listeners of one wire, and its count of warnings. */
export class Observers {
  /** Whether anyone wants trace events. What is traced is built only then. */
  tracing = false;
  readonly #observers = new Set<WireObserver>();
  readonly #counts = new Map<WireWarningKind, number>();
  /** Warnings from before the first listener. */
  #held: WireWarning[] = [];

  add(observer: WireObserver): () => void {
    this.#observers.add(observer);
    this.#count();
    // Whoever only traces hears no warnings, and must not use them up.
    if (observer.warning !== undefined) {
      const held = this.#held;
      this.#held = [];
      for (const warning of held) this.#deliver(warning);
    }
    return () => {
      this.#observers.delete(observer);
      this.#count();
    };
  }

  #count(): void {
    this.tracing = false;
    for (const observer of this.#observers) if (observer.trace !== undefined) this.tracing = true;
  }

  /**
   * Reports something that was tolerated: the first, tenth, hundredth … time that it happens, so that a peer cannot flood
   * anyone with warnings.
   *
   * @param sample text of the peer that shows it
   */
  warn(kind: WireWarningKind, message: string, sample?: string): void {
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    if (!isPowerOfTen(count)) return;
    const warning = { kind, message: sample === undefined ? message : `${message}: ${printable(sample)}`, count };
    if (this.#warned()) this.#deliver(warning);
    else this.#held.push(warning);
  }

  trace(event: WireTrace): void {
    for (const observer of this.#observers) {
      try {
        observer.trace?.(event);
      } catch (error) {
        this.receiverFailed(error);
      }
    }
  }

  stderr(text: string): void {
    for (const observer of this.#observers) {
      try {
        observer.stderr?.(text);
      } catch (error) {
        this.receiverFailed(error);
      }
    }
  }

  /** A receiver on this side threw: its own trouble, which must not stop the wire. */
  receiverFailed(error: unknown): void {
    this.warn(
      'receiver-failed',
      'A receiver of messages threw',
      error instanceof Error ? error.message : String(error),
    );
  }

  #warned(): boolean {
    for (const observer of this.#observers) if (observer.warning !== undefined) return true;
    return false;
  }

  #deliver(warning: WireWarning): void {
    for (const observer of this.#observers) {
      try {
        observer.warning?.(warning);
      } catch {
        // There is nobody left to tell: the receiver of warnings is what failed.
      }
    }
  }
}

function isPowerOfTen(count: number): boolean {
  let rest = count;
  while (rest >= 10 && rest % 10 === 0) rest /= 10;
  return rest === 1;
}
