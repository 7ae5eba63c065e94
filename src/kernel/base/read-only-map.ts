// Responsibility: a map that can only be read, by nobody and with no trick.
// Boundary: holds values; freezing them is the maker's.
// Invariants: the entries are out of reach (`Map.prototype.set.call` finds no map here); lookups are by exact key, so `__proto__` is one like any other.

export class ReadOnlyMap<V> implements ReadonlyMap<string, V> {
  readonly #entries: Map<string, V>;

  constructor(entries: Iterable<readonly [string, V]>) {
    this.#entries = new Map(entries);
    Object.freeze(this);
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): V | undefined {
    return this.#entries.get(key);
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  keys(): MapIterator<string> {
    return this.#entries.keys();
  }

  values(): MapIterator<V> {
    return this.#entries.values();
  }

  entries(): MapIterator<[string, V]> {
    return this.#entries.entries();
  }

  [Symbol.iterator](): MapIterator<[string, V]> {
    return this.#entries.entries();
  }

  forEach(visit: (value: V, key: string, map: ReadonlyMap<string, V>) => void): void {
    for (const [key, value] of this.#entries) visit(value, key, this);
  }
}
