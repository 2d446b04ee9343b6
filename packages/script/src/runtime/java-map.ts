import { currentBudget } from './budget.js';
import { compareValues } from './comparison.js';
import { hashOf, identityOf } from './equality.js';
import { unsupported } from './thrown.js';
import { MapObject, type Value } from './values.js';

/** In which order a map gives its keys. */
export type MapOrder = 'hash' | 'linked' | 'tree';

const CLASSES: Readonly<Record<MapOrder, string>> = {
  hash: 'java.util.HashMap',
  linked: 'java.util.LinkedHashMap',
  tree: 'java.util.TreeMap',
};

/** Buckets of a new table, and keys a bucket above which it doubles. Source: OpenJDK 21, java.util.HashMap. */
const BUCKETS_MIN = 16;
const LOAD_FACTOR = 0.75;
/** Bytes of an entry beside its key and value. */
const ENTRY_BYTES = 96;

export type Comparator = (a: Value, b: Value) => number;

interface Entry {
  readonly key: Value;
  value: Value;
}

/** A map that a script made. */
export class JavaMap extends MapObject {
  readonly order: MapOrder;
  readonly #comparator: Comparator | null;
  readonly #entries = new Map<unknown, Entry>();
  #buckets = BUCKETS_MIN;
  #sorted: Entry[] | null = null;
  #isFrozen = false;
  /** How often keys were added or removed: what an iteration checks. */
  changes = 0;

  constructor(order: MapOrder, comparator: Comparator | null = null) {
    super();
    this.order = order;
    this.#comparator = comparator;
    currentBudget().isChanged = true;
  }

  get javaClass(): string {
    if (!this.#isFrozen) return CLASSES[this.order];
    return this.order === 'tree' ? 'java.util.NavigableMap' : 'java.util.Map';
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The comparator that a sorted map was made with; null for the natural order. */
  get comparator(): Comparator | null {
    return this.#comparator;
  }

  freeze(): this {
    this.#isFrozen = true;
    return this;
  }

  #checkMutable(): void {
    if (this.#isFrozen) throw unsupported();
  }

  get(key: Value): Value {
    return this.#entries.get(identityOf(key))?.value ?? null;
  }

  /** Keys and values in no certain order: bringing them into that of a HashMap takes longer than all else. */
  *parts(): Generator<Value> {
    for (const { key, value } of this.#entries.values()) {
      yield key;
      yield value;
    }
  }

  has(key: Value): boolean {
    return this.#entries.has(identityOf(key));
  }

  put(key: Value, value: Value): Value {
    this.#checkMutable();
    const identity = identityOf(key);
    const entry = this.#entries.get(identity);
    if (entry) {
      const former = entry.value;
      entry.value = value;
      return former;
    }
    if (this.order === 'tree') this.#compare(key, key);
    currentBudget().charge(ENTRY_BYTES);
    this.#entries.set(identity, { key, value });
    this.#sorted = null;
    this.changes++;
    if (this.#entries.size > this.#buckets * LOAD_FACTOR) this.#buckets *= 2;
    return null;
  }

  remove(key: Value): Value {
    this.#checkMutable();
    const identity = identityOf(key);
    const entry = this.#entries.get(identity);
    if (!entry) return null;
    this.#entries.delete(identity);
    this.#sorted = null;
    this.changes++;
    return entry.value;
  }

  clear(): void {
    this.#checkMutable();
    if (this.#entries.size > 0) this.changes++;
    this.#entries.clear();
    this.#sorted = null;
  }

  keys(): Value[] {
    return this.#inOrder().map((entry) => entry.key);
  }

  entries(): [Value, Value][] {
    return this.#inOrder().map(({ key, value }) => [key, value]);
  }

  /** Compares keys in the order of a sorted map. */
  compareKeys(a: Value, b: Value): number {
    return this.#compare(a, b);
  }

  /** An empty map of the same order. */
  emptyCopy(): JavaMap {
    return new JavaMap(this.order, this.#comparator);
  }

  #compare(a: Value, b: Value): number {
    return this.#comparator ? this.#comparator(a, b) : compareValues(a, b);
  }

  #inOrder(): readonly Entry[] {
    if (this.#sorted) return this.#sorted;
    const entries = [...this.#entries.values()];
    currentBudget().walk(entries.length * (this.order === 'linked' ? 1 : 16));
    if (this.order === 'tree') entries.sort((a, b) => this.#compare(a.key, b.key));
    if (this.order === 'hash') this.#byBucket(entries);
    this.#sorted = entries;
    return entries;
  }

  /** Entries of a bucket keep the order in which they came, also when the table doubles. */
  #byBucket(entries: Entry[]): void {
    const mask = this.#buckets - 1;
    const bucketOf = new Map(entries.map((entry) => [entry, spread(hashOf(entry.key)) & mask]));
    entries.sort((a, b) => bucketOf.get(a)! - bucketOf.get(b)!);
  }
}

function spread(hash: number): number {
  return hash ^ (hash >>> 16);
}
