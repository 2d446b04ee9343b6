import { parseSort } from '../../sort/parse-sort.js';
import { isByScore, type SortSpec } from '../../sort/sort-spec.js';
import { ARRAY, OBJECT, type SearchSection, VALUE } from '../section.js';

/** `sort`: order of hits; empty: by score. */
export const sort: SearchSection<readonly SortSpec[]> = {
  keys: ['sort'],
  tokens: VALUE | OBJECT | ARRAY,
  absent: [],
  parse: (value, { context }) => parseSort(value, context),
};

/** Tie breaker by shard and document for a sort over a point in time, so that the next page can begin at any hit. */
const SHARD_DOC: SortSpec = { kind: 'doc', order: 'asc', acrossShards: true };

/** Returns a sort with the tie breaker of a search over a point in time. */
export function withTieBreaker(specs: readonly SortSpec[], isPointInTime: boolean): readonly SortSpec[] {
  if (!isPointInTime || isByScore(specs)) return specs;
  return specs.some((spec) => spec.kind === 'doc' && spec.acrossShards) ? specs : [...specs, SHARD_DOC];
}
