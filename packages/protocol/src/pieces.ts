/** What is copied together with its neighbours, in bytes: keeping it by itself would cost more than it weighs. */
const SMALL = 1024;
const LARGEST_PAGE = 64 * 1024;

/**
 * Bytes that arrive in pieces and are wanted as one. However finely a peer cuts them, keeping them costs what they weigh:
 * one object a byte would be hundreds of times that. A first piece, which is mostly the whole, is not copied. Pieces must
 * not be changed afterwards.
 */
export class Pieces {
  /** Bytes that were added. */
  size = 0;
  #first: Uint8Array | undefined;
  #rest: Uint8Array[] | undefined;
  /** Where small pieces are copied to, and up to where it is full. */
  #page: Uint8Array | undefined;
  #used = 0;

  /** Adds a piece, which must not be changed afterwards. */
  add(piece: Uint8Array): void {
    this.size += piece.length;
    if (this.#first === undefined) this.#first = piece;
    else if (piece.length >= SMALL) this.#keep(piece);
    else this.#copy(piece);
  }

  /** The first piece. */
  get first(): Uint8Array | undefined {
    return this.#first;
  }

  /** All of them as one, which is the first itself where there are no others. */
  whole(): Uint8Array {
    this.#closePage();
    const first = this.#first ?? new Uint8Array(0);
    if (this.#rest === undefined) return first;
    const whole = new Uint8Array(this.size);
    whole.set(first);
    let at = first.length;
    for (const piece of this.#rest) {
      whole.set(piece, at);
      at += piece.length;
    }
    return whole;
  }

  #keep(piece: Uint8Array): void {
    this.#closePage();
    this.#rest ??= [];
    this.#rest.push(piece);
  }

  #copy(piece: Uint8Array): void {
    if (this.#page === undefined || this.#used + piece.length > this.#page.length) {
      this.#closePage();
      // Pages grow with what there is, so that little does not cost much.
      this.#page = new Uint8Array(Math.min(Math.max(this.size, SMALL), LARGEST_PAGE));
    }
    this.#page.set(piece, this.#used);
    this.#used += piece.length;
  }

  /** What was copied becomes a piece; the room behind it is used on. */
  #closePage(): void {
    const page = this.#page;
    if (page === undefined || this.#used === 0) return;
    this.#rest ??= [];
    this.#rest.push(page.subarray(0, this.#used));
    this.#page = page.length - this.#used < SMALL ? undefined : page.subarray(this.#used);
    this.#used = 0;
  }
}
