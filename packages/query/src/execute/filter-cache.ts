import type { BitSet } from '@shoal/segments';
import type { Matcher, Weight } from '../matcher.js';
import type { Plan } from '../plan.js';
import type { Searcher, SegmentView } from '../searcher.js';
import { BitSetMatcher } from './bit-set-matcher.js';
import { collectBits } from './gather.js';

/** Segments below this are searched as fast as a cache answers. */
const CACHED_DOCS_MIN = 4096;

/** Uses after which a filter is kept: costly ones early, as in Lucene's UsageTrackingQueryCachingPolicy. */
const COSTLY_USES = 2;
const PLAIN_USES = 5;

const COSTLY: ReadonlySet<Plan['kind']> = new Set(['multiTerm', 'geo', 'terms', 'numbers', 'nested']);
/** Ranges of numbers and presence are not among them: the column answers for few documents as fast as a bit set. */
const CACHED: ReadonlySet<Plan['kind']> = new Set([...COSTLY, 'bool', 'phrase']);

/** A filter whose bits are kept with the searcher once it has been used several times. */
export function cachedFilter(plan: Plan, weight: Weight, searcher: Searcher): Weight {
  if (!CACHED.has(plan.kind)) return weight;
  let key: string | null = null;
  const keyOf = (): string => (key ??= JSON.stringify(plan, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)));
  return {
    ...weight,
    matcher: (segment, needsScores) =>
      segment.maxDoc < CACHED_DOCS_MIN ? weight.matcher(segment, needsScores) : usedOften(plan, keyOf(), weight, segment, searcher),
  };
}

interface Usage {
  uses: number;
}

function usedOften(plan: Plan, key: string, weight: Weight, segment: SegmentView, searcher: Searcher): Matcher | null {
  const name = `${segment.version}|${key}`;
  const usage = searcher.cache.get<Usage>(`uses|${name}`, () => ({ value: { uses: 0 }, bytes: 16 }));
  usage.uses++;
  if (usage.uses <= (COSTLY.has(plan.kind) ? COSTLY_USES : PLAIN_USES)) return weight.matcher(segment, false);
  const kept = searcher.cache.get(`filter|${name}`, () => filterBits(weight.matcher(segment, false), segment.maxDoc));
  return kept.bits === null ? null : new BitSetMatcher(kept.bits, 0, kept.cost);
}

function filterBits(matcher: Matcher | null, maxDoc: number): { value: { bits: BitSet | null; cost: number }; bytes: number } {
  if (matcher === null) return { value: { bits: null, cost: 0 }, bytes: 16 };
  const bits = collectBits(matcher, maxDoc);
  return { value: { bits, cost: bits.cardinality() }, bytes: bits.words.byteLength };
}
