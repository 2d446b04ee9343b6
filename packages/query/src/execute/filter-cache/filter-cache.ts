import type { BitSet } from '@shoal/segments';
import type { Matcher, Weight } from '../../matcher.js';
import type { Plan } from '../../plan.js';
import { innerPlans } from '../../plan-clauses.js';
import type { Searcher, SegmentView } from '../../searcher.js';
import { BitSetMatcher } from '../matchers/bit-set-matcher.js';
import { filterUsage, hashOf } from './filter-usage.js';
import { collectBits } from '../matchers/gather.js';

/** Smallest segment with cached filters; smaller ones are searched as fast as a cache answers. */
const CACHED_DOCS_MIN = 4096;

/**
 * A filter is cached once it was used more often than this. Costly filters are cached early, as in Lucene's
 * UsageTrackingQueryCachingPolicy.
 */
const COSTLY_USES = 2;
const PLAIN_USES = 5;

const COSTLY: ReadonlySet<Plan['kind']> = new Set(['multiTerm', 'geo', 'shape', 'terms', 'numbers', 'nested']);
/**
 * Kinds of plans that are cached. Ranges of numbers and `exists` are not: for few documents the column is as fast as a
 * bit set.
 */
const CACHED: ReadonlySet<Plan['kind']> = new Set([...COSTLY, 'bool', 'phrase']);

/**
 * Returns the weight of a filter whose matches are cached with the searcher, as bits by segment, once it has been used
 * several times. Those among the nested objects of `nestedPath` are others than those among root documents.
 */
export function cachedFilter(plan: Plan, weight: Weight, searcher: Searcher, nestedPath = ''): Weight {
  if (!CACHED.has(plan.kind) || dependsOnMore(plan)) return weight;
  let isUsedOften: boolean | null = null;
  let key: string | null = null;
  return {
    ...weight,
    matcher(segment, needsScores) {
      if (segment.maxDoc < CACHED_DOCS_MIN) return weight.matcher(segment, needsScores);
      if (!(isUsedOften ??= countUse(plan, searcher))) return weight.matcher(segment, false);
      return cachedMatcher((key ??= nestedPath + keyOf(plan)), weight, segment, searcher);
    },
  };
}

/**
 * Returns whether the matches in a segment depend on more than the segment and the text of the plan: on other segments
 * (nearest vectors, ids of another relation), or on documents that came with the request.
 */
function dependsOnMore(plan: Plan): boolean {
  return DEPENDENT.has(plan.kind) || (innerPlans(plan)?.some(dependsOnMore) ?? false);
}

const DEPENDENT: ReadonlySet<Plan['kind']> = new Set(['nearest', 'join', 'percolate']);

const countUse = (plan: Plan, searcher: Searcher): boolean =>
  filterUsage(searcher.cache).add(hashOf(plan)) > (COSTLY.has(plan.kind) ? COSTLY_USES : PLAIN_USES);

/**
 * Returns a text that is unique to the plan. Numbers that JSON would write alike (infinite bounds, -0, 64-bit integers)
 * are spelt out.
 */
function keyOf(plan: Plan): string {
  return JSON.stringify(plan, (_, value: unknown) => {
    if (typeof value === 'bigint') return `${value}n`;
    return typeof value !== 'number' || (Number.isFinite(value) && !Object.is(value, -0))
      ? value
      : Object.is(value, -0)
        ? '-0'
        : String(value);
  });
}

function cachedMatcher(key: string, weight: Weight, segment: SegmentView, searcher: Searcher): Matcher | null {
  const kept = searcher.cache.get(`filter|${segment.version}|${key}`, () =>
    filterBits(weight.matcher(segment, false), segment.maxDoc),
  );
  return kept.bits === null ? null : new BitSetMatcher(kept.bits, 0, kept.cost);
}

function filterBits(
  matcher: Matcher | null,
  maxDoc: number,
): { value: { bits: BitSet | null; cost: number }; bytes: number } {
  if (matcher === null) return { value: { bits: null, cost: 0 }, bytes: 16 };
  const bits = collectBits(matcher, maxDoc);
  return { value: { bits, cost: bits.cardinality() }, bytes: bits.words.byteLength };
}
