/**
 * Closed sets of items that many transactions share: no item can be added to one without losing a transaction.
 * Algorithm: LCM (Uno, Kiyomi, Arimura 2004), which comes by each closed set once, so that none is kept to compare
 * with; sets that would not be among the best are not extended.
 */

/** Transactions of items; items are numbers from 0, ascending within a transaction and without repeats. */
export interface Transactions {
  /** Transaction i has the items from `starts[i]` to `starts[i + 1]`. */
  readonly starts: Int32Array;
  readonly items: Int32Array;
  /** How often each one occurs. */
  readonly weights: Float64Array;
  readonly itemCount: number;
}

/** A set of items and the weight of the transactions that have them all. */
export interface ItemSet {
  readonly items: readonly number[];
  readonly weight: number;
}

/** What to look for. */
export interface ClosedSetsOptions {
  /** Least weight of a set. */
  readonly minWeight: number;
  readonly minSize: number;
  /** Number of sets, the heaviest ones. */
  readonly size: number;
  /** Items that may be looked at, each time counted; beyond it `closedSets` returns null. */
  readonly stepsMax: number;
}

/** Heavier sets come first, then larger ones, then those of more frequent items. */
function compareSets(a: ItemSet, b: ItemSet): number {
  if (a.weight !== b.weight) return b.weight - a.weight;
  if (a.items.length !== b.items.length) return b.items.length - a.items.length;
  for (let i = 0; i < a.items.length; i++) if (a.items[i] !== b.items[i]) return a.items[i]! - b.items[i]!;
  return 0;
}

/** The best sets so far, the worst one last. */
class Best {
  readonly sets: ItemSet[] = [];
  readonly #options: ClosedSetsOptions;

  constructor(options: ClosedSetsOptions) {
    this.#options = options;
  }

  /** Least weight that a set must have to be kept. */
  get threshold(): number {
    const { size, minWeight } = this.#options;
    return this.sets.length < size ? minWeight : Math.max(minWeight, this.sets.at(-1)!.weight);
  }

  add(set: ItemSet): void {
    if (set.items.length < this.#options.minSize || set.weight < this.#options.minWeight) return;
    let low = 0;
    for (let high = this.sets.length; low < high; ) {
      const middle = (low + high) >> 1;
      if (compareSets(this.sets[middle]!, set) <= 0) low = middle + 1;
      else high = middle;
    }
    this.sets.splice(low, 0, set);
    if (this.sets.length > this.#options.size) this.sets.pop();
  }
}

class Walk {
  readonly #data: Transactions;
  readonly #best: Best;
  /** Weights of items among the transactions of a set, an array for each depth. */
  readonly #counts: Float64Array[] = [];
  #stepsLeft: number;

  constructor(data: Transactions, options: ClosedSetsOptions) {
    this.#data = data;
    this.#best = new Best(options);
    this.#stepsLeft = options.stepsMax;
  }

  run(): readonly ItemSet[] | null {
    const { weights } = this.#data;
    const all = Int32Array.from(weights, (_, i) => i);
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    this.#visit(all, total, new Set(), -1, 0);
    return this.#stepsLeft < 0 ? null : this.#best.sets;
  }

  /** Adds up the weights of the items of some transactions. */
  #count(transactions: Int32Array, counts: Float64Array): void {
    const { starts, items, weights } = this.#data;
    for (const transaction of transactions) {
      const end = starts[transaction + 1]!;
      this.#stepsLeft -= end - starts[transaction]!;
      for (let at = starts[transaction]!; at < end; at++) counts[items[at]!]! += weights[transaction]!;
    }
  }

  /**
   * Looks at the closure of a set, which has the items of `parent` and the item `core`; `transactions` have them all.
   * The closure belongs to another set if an item before `core` comes in by it.
   */
  #visit(transactions: Int32Array, weight: number, parent: ReadonlySet<number>, core: number, depth: number): void {
    if (this.#stepsLeft < 0) return;
    const counts = (this.#counts[depth] ??= new Float64Array(this.#data.itemCount)).fill(0);
    this.#count(transactions, counts);
    const closure = new Set<number>();
    const extensions: number[] = [];
    for (let item = 0; item < counts.length; item++) {
      if (counts[item] === weight) {
        if (item < core && !parent.has(item)) return;
        closure.add(item);
      } else if (item > core && counts[item]! > 0) extensions.push(item);
    }
    this.#stepsLeft -= counts.length >> 3;
    if (closure.size > 0) this.#best.add({ items: [...closure], weight });
    for (const item of extensions) {
      if (counts[item]! < this.#best.threshold) continue;
      this.#visit(this.#having(transactions, item), counts[item]!, closure, item, depth + 1);
    }
  }

  /** The transactions that have an item. */
  #having(transactions: Int32Array, item: number): Int32Array {
    const { starts, items } = this.#data;
    this.#stepsLeft -= transactions.length;
    return transactions.filter((transaction) => {
      let low = starts[transaction]!;
      for (let high = starts[transaction + 1]!; low < high; ) {
        const middle = (low + high) >> 1;
        if (items[middle]! < item) low = middle + 1;
        else high = middle;
      }
      return low < starts[transaction + 1]! && items[low] === item;
    });
  }
}

/** Returns the heaviest closed sets, the best one first; null if they take more steps than allowed. */
export function closedSets(data: Transactions, options: ClosedSetsOptions): readonly ItemSet[] | null {
  return new Walk(data, options).run();
}
