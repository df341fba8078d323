/** Thrown through an engine that has no other way to be stopped. One object: it says nothing of where it was thrown. */
export const outOfSteps = new Error('The check took more steps than it was given');

/** Counts the work of one check, so that no schema can make a check go on for ever. */
export class Meter {
  readonly #steps: number;
  #left = 0;

  constructor(steps: number) {
    this.#steps = steps;
  }

  /** Begins a check. */
  reset(): void {
    this.#left = this.#steps;
  }

  /** One reference followed. */
  readonly step = (): true => {
    if (--this.#left < 0) throw outOfSteps;
    return true;
  };

  /** A pattern is going to be tried on a text of so many characters; its time grows with that power of them. */
  read(length: number, degree: number): void {
    this.#left -= (degree <= 1 ? length : length ** degree) / 1000;
    if (this.#left < 0) throw outOfSteps;
  }
}
