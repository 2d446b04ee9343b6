import type { BucketTable } from '../../collect/bucket-table.js';
import { groupByOwner, type OwnedBuckets } from '../../collect/owned-buckets.js';
import { selectTop } from '../../collect/select-top.js';
import type { SourceKey } from './source-reader.js';

/** One source of combinations: its pairs (bucket of the sources before it, code). */
export interface CombinationLevel {
  readonly table: BucketTable;
  /** Compares two codes in the order of the answer. */
  compare(a: number, b: number): number;
  key(code: number): SourceKey;
}

/** The first combinations of a parent bucket, in order. */
export interface CombinationPage {
  readonly ids: Int32Array;
  readonly keys: readonly (readonly SourceKey[])[];
}

/** Pairs that are visited in a step. */
const PAIRS_AT_ONCE = 1024;

/**
 * Combinations as a tree, a level for each source: the pairs of a level that belong to the same pair of the level
 * before are its children. Pairs that no combination was made of are left out.
 *
 *     source 1         a            b
 *     source 2       x   y          x
 *     source 3      1 2  3          1     combinations: (a,x,1) (a,x,2) (a,y,3) (b,x,1)
 */
export class Combinations {
  readonly #levels: readonly CombinationLevel[];
  readonly #children: readonly OwnedBuckets[];
  /** For each level, whether a pair is part of a combination: 1 or 0. */
  readonly #isUsed: readonly Uint8Array[];

  private constructor(
    levels: readonly CombinationLevel[],
    children: readonly OwnedBuckets[],
    isUsed: readonly Uint8Array[],
  ) {
    this.#levels = levels;
    this.#children = children;
    this.#isUsed = isUsed;
  }

  /** Makes the tree, a level in a step. */
  static *of(levels: readonly CombinationLevel[]): Generator<void, Combinations> {
    const children: OwnedBuckets[] = [];
    const isUsed = levels.map(({ table }) => new Uint8Array(table.size));
    isUsed.at(-1)!.fill(1);
    for (let level = levels.length - 1; level >= 0; level--) {
      const { owners, size } = levels[level]!.table;
      if (level > 0) markOwners(owners, size, isUsed[level]!, isUsed[level - 1]!);
      children[level] = groupByOwner(owners, size);
      yield;
    }
    return new Combinations(levels, children, isUsed);
  }

  /** The pairs of a level below `owner`, in order: as many as can be on a page of `limit`. */
  #below(level: number, owner: number, limit: number): Int32Array {
    const used = this.#isUsed[level]!;
    const all = this.#children[level]!.of(owner);
    if (all.length === 1 && used[all[0]!] === 1) return all;
    const { table, compare } = this.#levels[level]!;
    const { keys } = table;
    return selectTop(
      all.filter((id) => used[id] === 1),
      limit,
      (a, b) => compare(keys[a]!, keys[b]!),
    );
  }

  /** The first `size` combinations of a parent bucket. */
  *page(bucket: number, size: number): Generator<void, CombinationPage> {
    const last = this.#levels.length - 1;
    const [ids, keys]: [number[], SourceKey[][]] = [[], []];
    const path: SourceKey[] = [];
    const open = [{ pairs: this.#below(0, bucket, size), at: 0 }];
    for (let visited = 1; open.length > 0 && ids.length < size; visited++) {
      if (visited % PAIRS_AT_ONCE === 0) yield;
      const level = open.length - 1;
      const { pairs, at } = open[level]!;
      if (at === pairs.length) {
        open.pop();
        continue;
      }
      const id = pairs[open[level]!.at++]!;
      const { table, key } = this.#levels[level]!;
      path[level] = key(table.keys[id]!);
      if (level < last) open.push({ pairs: this.#below(level + 1, id, size - ids.length), at: 0 });
      else {
        ids.push(id);
        keys.push(path.slice());
      }
    }
    return { ids: Int32Array.from(ids), keys };
  }
}

function markOwners(owners: Int32Array, size: number, isUsed: Uint8Array, ownerUsed: Uint8Array): void {
  for (let id = 0; id < size; id++) if (isUsed[id] === 1) ownerUsed[owners[id]!] = 1;
}
