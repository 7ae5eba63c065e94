// Responsibility: what this instance has read already: a bounded write-through cache over single rows.
// Boundary: memory only; the tables are always written too, and everything is forgotten when a transaction fails.
// Invariants: absence is remembered as well; never more than `max` entries.

export class RowCache<T> {
  readonly #rows = new Map<string, T | null>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  /** The row, null where it is known to be absent, undefined where nothing is known. */
  get(key: string): T | null | undefined {
    return this.#rows.get(key);
  }

  set(key: string, row: T | null): void {
    if (this.#rows.size >= this.#max && !this.#rows.has(key)) {
      const oldest = this.#rows.keys().next();
      if (!oldest.done) this.#rows.delete(oldest.value);
    }
    this.#rows.set(key, row);
  }

  clear(): void {
    this.#rows.clear();
  }
}
