import type { Matcher, Weight } from '../../matcher.js';
import type { Searcher, SegmentView } from '../../searcher.js';
import { DocListMatcher } from '../matchers/bit-set-matcher.js';
import { withConstantScore } from './constant.js';
import type { PlanOf } from '../plan-of.js';
import type { WeightContext } from '../weight-context.js';

/** Weight of documents by `_id`; constant score. Documents are found by hash and verified against the operation log. */
export function idsWeight(plan: PlanOf<'ids'>, context: WeightContext): Weight {
  const unscored: Weight = { matcher: (segment) => idsMatcher(plan.ids, context.searcher, segment) };
  return withConstantScore(unscored, Math.fround(context.boost * plan.boost));
}

function idsMatcher(
  ids: readonly string[],
  searcher: Searcher,
  { reader, live, docBase, maxDoc }: SegmentView,
): Matcher | null {
  const found = new Set<number>();
  for (const id of ids) {
    for (const doc of reader.findId(id)) {
      if (doc < maxDoc && (live === null || live.get(doc)) && searcher.stored(docBase + doc).id === id) found.add(doc);
    }
  }
  return found.size === 0 ? null : new DocListMatcher(Int32Array.from(found).sort(), 0);
}
