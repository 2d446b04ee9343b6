import { errors } from '@shoal/errors';
import { type BitSet, NO_MORE_DOCS } from '@shoal/segments';
import type { SegmentView } from '@shoal/query';
import type { AggregationType } from '../aggregation-type.js';
import { addPair, type Pairs, pairs, resetPairs } from '../collect/pairs.js';
import { readPath } from './nested-path.js';
import { parentDocs } from './nested-docs.js';
import { type SinglePartial, reduceSingle, singleBucket } from './single-bucket.js';
import { docCounts } from '../source/doc-counts.js';
import { NO_KIND } from '../source/value-kinds.js';

/** Replaces each nested document by its parent, which is kept once for each bucket. */
function addParents(
  parents: BitSet,
  docs: Int32Array,
  buckets: Int32Array | null,
  count: number,
  scores: Float32Array | null,
  seen: Map<number, number>,
  into: Pairs,
): void {
  for (let i = 0; i < count; i++) {
    const parent = parents.next(docs[i]!);
    const bucket = buckets ? buckets[i]! : 0;
    if (parent === NO_MORE_DOCS || seen.get(bucket) === parent) continue;
    seen.set(bucket, parent);
    addPair(into, parent, bucket, scores ? scores[i]! : 0);
  }
}

/** `reverse_nested`: from nested documents back to their root, or to an outer nested path. */
export const reverseNested: AggregationType<SinglePartial> = {
  name: 'reverse_nested',
  valueKinds: NO_KIND,
  parse(site) {
    const path = readPath(site.body, site.name) ?? null;
    return {
      acceptsSubs: true,
      shape: 'single',
      nestedPathBelow: () => path,
      collector(build) {
        let inNested = false;
        for (let parent = build.node.parent; parent; parent = parent.parent) inNested ||= parent.type === 'nested';
        if (!inNested)
          throw errors.illegalArgument(
            `Reverse nested aggregation [${build.node.name}] can only be used inside a [nested] aggregation`,
          );
        let parents: BitSet | null = null;
        const seen = new Map<number, number>();
        return singleBucket(
          build,
          {
            segment(view: SegmentView) {
              parents = parentDocs(view, path);
              seen.clear();
            },
            select(docs, buckets, count, scores, into) {
              resetPairs(into, count);
              if (parents) addParents(parents, docs, buckets, count, scores, seen, into);
            },
          },
          pairs(build.context.scratch),
          docCounts,
          build.subs(path),
        );
      },
      reduce: (partials, reduceSite) => reduceSingle('reverse_nested', partials, reduceSite),
    };
  },
};
