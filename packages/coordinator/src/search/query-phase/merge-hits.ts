import type { Value } from '@shoal/codec';
import { type SortSpec, compareSortValues } from '@shoal/query';
import type { ShardHits } from './shard-hits.js';

/** A hit of the merged list: the index of its shard in the search, and its index in the hits of the shard. */
export interface MergedHit {
  readonly hits: ShardHits;
  readonly at: number;
}

type Compare = (a: MergedHit, b: MergedHit) => number;

function byScore(a: MergedHit, b: MergedHit): number {
  const scoreA = a.hits.scores?.[a.at] ?? 0;
  const scoreB = b.hits.scores?.[b.at] ?? 0;
  return scoreB - scoreA || a.hits.target - b.hits.target || a.at - b.at;
}

function bySortValues(orders: readonly SortSpec[]): Compare {
  return (a, b) =>
    compareSortValues(orders, a.hits.sortValues?.[a.at] ?? [], b.hits.sortValues?.[b.at] ?? []) ||
    a.hits.target - b.hits.target ||
    a.at - b.at;
}

const keyOf = (value: Value): string => `${typeof value}:${String(value)}`;

/** Keeps the best hit of each collapse value. Documents without a value are one group. */
function collapsed(sorted: readonly MergedHit[]): MergedHit[] {
  const seen = new Set<string>();
  return sorted.filter(({ hits, at }) => {
    const key = keyOf(hits.collapseValues?.[at] ?? null);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/**
 * Merges the hits of all shards, ordered by sort values or score, then by shard, then by document. `orders` null: by
 * score.
 */
export function mergeHits(
  shards: readonly ShardHits[],
  orders: readonly SortSpec[] | null,
  collapse: boolean,
): readonly MergedHit[] {
  const all: MergedHit[] = [];
  for (const hits of shards) for (let at = 0; at < hits.docs.length; at++) all.push({ hits, at });
  if (shards.length > 1) all.sort(orders ? bySortValues(orders) : byScore);
  return collapse && shards.length > 1 ? collapsed(all) : all;
}

/** Returns the first `size` hits of `mergeHits` by score, if the hits of each shard are in order. */
export function bestByScore(shards: readonly ShardHits[], size: number): readonly MergedHit[] {
  const next = new Int32Array(shards.length);
  const best: MergedHit[] = [];
  while (best.length < size) {
    const first = highest(shards, next);
    if (first < 0) break;
    best.push({ hits: shards[first]!, at: next[first]!++ });
  }
  return best;
}

/** Returns the shard whose next hit has the highest score, the first of equal ones; -1 if there are no more hits. */
function highest(shards: readonly ShardHits[], next: Int32Array): number {
  let first = -1;
  let highestScore = 0;
  for (let i = 0; i < shards.length; i++) {
    const { docs, scores } = shards[i]!;
    const at = next[i]!;
    if (at >= docs.length) continue;
    const score = scores?.[at] ?? 0;
    if (first >= 0 && !(score > highestScore)) continue;
    first = i;
    highestScore = score;
  }
  return first;
}
