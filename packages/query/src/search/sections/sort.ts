import { parseSort } from '../../sort/parse-sort.js';
import type { SortSpec } from '../../sort/sort-spec.js';
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

/**
 * Returns the sort of a search over a point in time with the tie breaker, which a search without `sort` does not get. A
 * client that pages by as many values as it has named keys goes on without it, as in 8.12.
 */
export function withTieBreaker(specs: readonly SortSpec[], after: readonly unknown[] | null): readonly SortSpec[] {
  if (specs.length === 0 || after?.length === specs.length) return specs;
  return specs.some((spec) => spec.kind === 'doc' && spec.acrossShards) ? specs : [...specs, SHARD_DOC];
}
