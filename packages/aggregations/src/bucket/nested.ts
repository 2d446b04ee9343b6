import { errors } from '@shoal/errors';
import { type BitSet, NO_MORE_DOCS } from '@shoal/segments';
import type { SegmentView } from '@shoal/query';
import type { AggregationType } from '../aggregation-type.js';
import { addPair, growPairs, type Pairs, pairs, resetPairs } from '../collect/pairs.js';
import { readPath } from './nested-path.js';
import { nestedDocs, parentDocs } from './nested-docs.js';
import { type SinglePartial, reduceSingle, singleBucket } from './single-bucket.js';
import { NO_KIND } from '../source/value-kinds.js';

/** Appends the nested documents of parent `doc`: they are stored directly before their parent. */
function addChildren(children: BitSet, parents: BitSet, doc: number, bucket: number, score: number, into: Pairs): void {
  const previous = doc === 0 ? -1 : parents.previous(doc - 1);
  for (
    let child = children.next(previous + 1);
    child < doc && child !== NO_MORE_DOCS;
    child = children.next(child + 1)
  ) {
    if (into.count === into.docs.length) growPairs(into);
    addPair(into, child, bucket, score);
  }
}

/** `nested`: the nested documents of a path that belong to the collected documents. */
export const nested: AggregationType<SinglePartial> = {
  name: 'nested',
  valueKinds: NO_KIND,
  parse(site) {
    const path = readPath(site.body, site.name);
    if (path === undefined)
      throw errors.parsing(`Missing [path] field for nested aggregation [${site.name}]`, {
        location: { container: site.body, at: 'end' },
      });
    return {
      acceptsSubs: true,
      shape: 'single',
      nestedPathBelow: (around, { searcher }) => (searcher.mapping.object(path)?.isNested === true ? path : around),
      collector(build) {
        const isKnown = build.context.searcher.mapping.object(path)?.isNested ?? false;
        let children: BitSet | null = null;
        let parents: BitSet | null = null;
        return singleBucket(
          build,
          {
            segment(view: SegmentView) {
              children = isKnown ? nestedDocs(view, path) : null;
              parents = parentDocs(view, build.nestedPath);
            },
            select(docs, buckets, count, scores, into) {
              resetPairs(into, count);
              if (!children || !parents) return;
              for (let i = 0; i < count; i++)
                addChildren(children, parents, docs[i]!, buckets ? buckets[i]! : 0, scores ? scores[i]! : 0, into);
              sortPairs(into, count);
            },
          },
          pairs(build.context.scratch),
          () => null,
          build.subs(isKnown ? path : build.nestedPath),
        );
      },
      reduce: (partials, reduceSite) => reduceSingle('nested', partials, reduceSite),
    };
  },
};

/**
 * Sorts pairs by document. A parent in several buckets appends its children once for each bucket, so that they do not
 * ascend.
 */
function sortPairs(list: Pairs, parents: number): void {
  let sorted = true;
  for (let i = 1; i < list.count && sorted; i++) sorted = list.docs[i - 1]! <= list.docs[i]!;
  if (sorted || parents < 2) return;
  const order = Array.from({ length: list.count }, (_, i) => i).sort((a, b) => list.docs[a]! - list.docs[b]! || a - b);
  const [docs, ids, scores] = [
    list.docs.slice(0, list.count),
    list.ids.slice(0, list.count),
    list.scores.slice(0, list.count),
  ];
  order.forEach((from, to) => {
    list.docs[to] = docs[from]!;
    list.ids[to] = ids[from]!;
    list.scores[to] = scores[from]!;
  });
}
