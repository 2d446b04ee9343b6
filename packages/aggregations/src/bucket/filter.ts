import { parseQuery } from '@shoal/query';
import type { AggregationType } from '../aggregation-type.js';
import { docFilter, type DocFilter } from '../collect/doc-filter.js';
import { addPair, type Pairs, pairs, resetPairs } from '../collect/pairs.js';
import { docCounts } from '../source/doc-counts.js';
import { type SinglePartial, reduceSingle, singleBucket } from './single-bucket.js';
import { NO_KIND } from '../source/value-kinds.js';

/**
 * Writes those pairs (document, bucket) to the list whose document is among the first `kept` entries of `filter.kept`.
 */
export function selectKept(
  filter: DocFilter,
  docs: Int32Array,
  buckets: Int32Array | null,
  count: number,
  scores: Float32Array | null,
  into: Pairs,
): void {
  const size = filter.filter(docs, count);
  const { kept } = filter;
  resetPairs(into, count);
  for (let i = 0, k = 0; i < count && k < size; i++) {
    const doc = docs[i]!;
    while (k < size && kept[k]! < doc) k++;
    if (k < size && kept[k] === doc) addPair(into, doc, buckets ? buckets[i]! : 0, scores ? scores[i]! : 0);
  }
}

/** Documents that match a query. */
export const filter: AggregationType<SinglePartial> = {
  name: 'filter',
  valueKinds: NO_KIND,
  parse(site) {
    const query = parseQuery(site.body, site.context);
    return {
      acceptsSubs: true,
      shape: 'single',
      queries: [query],
      collector(build) {
        const matching = docFilter(build.context.weight(query, build.nestedPath), build.context.scratch);
        const select = (
          docs: Int32Array,
          buckets: Int32Array | null,
          count: number,
          scores: Float32Array | null,
          into: Pairs,
        ): void => selectKept(matching, docs, buckets, count, scores, into);
        return singleBucket(
          build,
          { segment: (view) => matching.segment(view), select },
          pairs(build.context.scratch),
          docCounts,
        );
      },
      reduce: (partials, reduceSite) => reduceSingle('filter', partials, reduceSite),
    };
  },
};
