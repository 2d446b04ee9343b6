import type { AggregationNode, SubAggregators } from '../aggregation-type.js';
import type { FormatSpec } from '../source/format.js';
import type { IncludeExclude } from './include-exclude.js';
import type { TermsCandidates, TermsKind } from './terms-partial.js';

/** How a terms-like aggregation turns the buckets of one owner into its partial result `P`. */
export type TermsFinish<P> = (
  kind: TermsKind,
  format: FormatSpec,
  candidates: TermsCandidates,
  subs: SubAggregators,
) => P;

/** What terms-like aggregations collect by. */
export interface TermsOptions<P> {
  readonly filter: IncludeExclude | null;
  readonly missing: unknown;
  readonly format: string | null;
  readonly timeZone: string | null;
  /** Adds terms that no document of the query has (`min_doc_count: 0`). */
  readonly withEmpty: boolean;
  /** Buckets with fewer documents stay on the shard. */
  readonly minCount: number;
  readonly finish: TermsFinish<P>;
  /** With `execution_hint: map`, what a profile shows: the sub-aggregations that run for the buckets that remain. */
  readonly deferred?: readonly string[] | null;
}

/** Whether a node only ever sees bucket 0: no ancestor makes several buckets. */
export function hasOneOwner(node: AggregationNode): boolean {
  for (let parent = node.parent; parent; parent = parent.parent) if (parent.behaviour.shape === 'multi') return false;
  return true;
}
