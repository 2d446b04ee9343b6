import type { ReciprocalRanks } from '@shoal/query';
import type { ShardHits } from './shard-hits.js';
import { bestByScore, type MergedHit } from './merge-hits.js';

/** A document with its place and its score in each result set; place 0: it is not in its window. */
interface Ranked {
  readonly target: number;
  readonly doc: number;
  readonly places: number[];
  readonly scores: number[];
  score: number;
}

/** Hits of the fused list that are wanted: the first, counted from 0, and how many. */
interface RankedPage {
  readonly from: number;
  readonly size: number;
}

/**
 * Fuses result sets to one list, each given as the hits of all shards. A document scores 1 / (constant + place) for
 * each set in whose window it is, summed as 32-bit floats. Documents of equal scores are ordered by their scores in the
 * first set that tells them apart, one that is in a set before one that is not, then by shard and document. Returns the
 * hits of the page; nothing beyond the window has a place in the list.
 */
export function fuseRanks(
  sets: readonly (readonly ShardHits[])[],
  ranks: ReciprocalRanks,
  page: RankedPage = { from: 0, size: ranks.windowSize },
): MergedHit[] {
  const ranked = new Map<string, Ranked>();
  sets.forEach((shards, set) => {
    bestByScore(shards, ranks.windowSize).forEach(({ hits, at }, i) => {
      const doc = hits.docs[at]!;
      const key = `${hits.target}/${doc}`;
      let one = ranked.get(key);
      if (!one) ranked.set(key, (one = newRanked(hits.target, doc, sets.length)));
      one.places[set] = i + 1;
      one.scores[set] = hits.scores?.[at] ?? 0;
      one.score = Math.fround(one.score + Math.fround(1 / (ranks.rankConstant + i + 1)));
    });
  });
  const end = Math.min(page.from + page.size, ranks.windowSize);
  return mergedOf([...ranked.values()].sort(compareRanked).slice(page.from, end));
}

/** Hits of one shard share their lists, as those of a query phase do. */
function mergedOf(ranked: readonly Ranked[]): MergedHit[] {
  const docs = new Map<number, number[]>();
  const places = ranked.map(({ target, doc }) => {
    let own = docs.get(target);
    if (!own) docs.set(target, (own = []));
    return own.push(doc) - 1;
  });
  const hits = new Map([...docs].map(([target, own]) => [target, hitsOf(target, own)] as const));
  return ranked.map(({ target }, i) => ({ hits: hits.get(target)!, at: places[i]! }));
}

const newRanked = (target: number, doc: number, sets: number): Ranked => ({
  target,
  doc,
  places: new Array<number>(sets).fill(0),
  scores: new Array<number>(sets).fill(0),
  score: 0,
});

const hitsOf = (target: number, docs: readonly number[]): ShardHits => ({
  target,
  docs: Int32Array.from(docs),
  scores: null,
  sortValues: null,
  collapseValues: null,
});

function compareRanked(a: Ranked, b: Ranked): number {
  if (a.score !== b.score) return b.score - a.score;
  for (let set = 0; set < a.places.length; set++) {
    const [isInA, isInB] = [a.places[set]! > 0, b.places[set]! > 0];
    if (isInA !== isInB) return isInA ? -1 : 1;
    if (isInA && a.scores[set] !== b.scores[set]) return b.scores[set]! - a.scores[set]!;
  }
  return a.target - b.target || a.doc - b.doc;
}
