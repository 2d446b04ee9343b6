import type { AggregationNode, SubAggregators } from '../aggregation-type.js';
import type { FormatSpec } from '../source/format.js';
import type { IncludeExclude } from './include-exclude.js';
import type { TermsCandidates, TermsKind } from './terms-partial.js';

/** Turns the buckets of one parent bucket into the partial result `P` of a terms-like aggregation. */
export type TermsFinish<P> = (
  kind: TermsKind,
  format: FormatSpec,
  candidates: TermsCandidates,
  subs: SubAggregators,
) => P;

/** Options of collectors that terms-like aggregations share. */
export interface TermsOptions<P> {
  readonly filter: IncludeExclude | null;
  readonly missing: unknown;
  readonly format: string | null;
  readonly timeZone: string | null;
  /** Whether to return terms that no matching document has (`min_doc_count: 0`). */
  readonly withEmpty: boolean;
  /** Buckets with fewer documents stay on the shard. */
  readonly minCount: number;
  /** Whether a number that a document has several times counts as often. Default false. */
  readonly countsRepeats?: boolean;
  readonly finish: TermsFinish<P>;
  /** Names that a profile shows as `deferred_aggregators` with `execution_hint: map`; null or absent for none. */
  readonly deferred?: readonly string[] | null;
}

/** Whether the parent of a node has only bucket 0: no ancestor makes several buckets. */
export function hasOneOwner(node: AggregationNode): boolean {
  for (let parent = node.parent; parent; parent = parent.parent) if (parent.behaviour.shape === 'multi') return false;
  return true;
}
