/** The last bytes that a process wrote to stderr: bounded, oldest dropped first. */
export class StderrRing {
  readonly #maxBytes: number;
  #chunks: Uint8Array[] = [];
  #size = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  push(chunk: Uint8Array): void {
    // A copy: a small piece of a large pooled buffer would keep all of it.
    const kept = Uint8Array.from(chunk.length > this.#maxBytes ? chunk.subarray(-this.#maxBytes) : chunk);
    this.#chunks.push(kept);
    this.#size += kept.length;
    let first = 0;
    while (this.#size > this.#maxBytes) {
      const oldest = this.#chunks[first] as Uint8Array;
      const over = this.#size - this.#maxBytes;
      if (oldest.length > over) {
        this.#chunks[first] = oldest.subarray(over);
        this.#size -= over;
      } else {
        this.#size -= oldest.length;
        first++;
      }
    }
    if (first > 0) this.#chunks.splice(0, first);
  }

  /** What is kept, as text. A character cut at the front reads as U+FFFD. */
  tail(): string {
    const decoder = new TextDecoder();
    let text = '';
    for (const chunk of this.#chunks) text += decoder.decode(chunk, { stream: true });
    return text + decoder.decode();
  }
}
