import type { Weight } from '../../matcher.js';
import type { Searcher, SegmentView } from '../../searcher.js';
import { DocListMatcher } from '../matchers/bit-set-matcher.js';
import { withConstantScore } from './constant.js';
import { nestedDocs } from './nested.js';
import type { PlanOf } from '../plan-of.js';
import type { WeightContext } from '../weight-context.js';

/** Ids that are looked up in one part of the work on a segment. */
const PART_IDS = 2048;

/** Weight of documents by `_id`; constant score. Documents are found by hash and verified against the operation log. */
export function idsWeight(plan: PlanOf<'ids'>, context: WeightContext): Weight {
  const { ids } = plan;
  let prepared: { readonly segment: SegmentView; readonly found: Set<number> } | null = null;
  for (let from = 0; context.slowParts !== undefined && from < ids.length && ids.length > PART_IDS; from += PART_IDS)
    context.slowParts.push((segment) => {
      if (prepared?.segment !== segment) prepared = { segment, found: new Set() };
      findIds(ids, from, Math.min(from + PART_IDS, ids.length), context.searcher, segment, prepared.found);
    });
  const unscored: Weight = {
    matcher: (segment) => {
      const found = prepared?.segment === segment ? prepared.found : new Set<number>();
      if (prepared?.segment !== segment) findIds(ids, 0, ids.length, context.searcher, segment, found);
      const docs = context.nestedPath === undefined ? found : nestedOf(found, context.nestedPath, segment);
      return docs.size === 0 ? null : new DocListMatcher(Int32Array.from(docs).sort(), 0);
    },
  };
  return withConstantScore(unscored, Math.fround(context.boost * plan.boost));
}

/** The nested documents of a path that belong to some root documents: they lie before their root, and share its id. */
function nestedOf(roots: ReadonlySet<number>, path: string, segment: SegmentView): Set<number> {
  const docs = new Set<number>();
  const own = nestedDocs(segment, path);
  if (own === null) return docs;
  for (const root of roots) {
    const first = segment.reader.roots === null || root === 0 ? root : segment.reader.roots.previous(root - 1) + 1;
    for (let doc = own.next(first); doc < root; doc = own.next(doc + 1)) docs.add(doc);
  }
  return docs;
}

function findIds(
  ids: readonly string[],
  from: number,
  to: number,
  searcher: Searcher,
  { reader, live, docBase, maxDoc }: SegmentView,
  found: Set<number>,
): void {
  for (let i = from; i < to; i++) {
    for (const doc of reader.findId(ids[i]!)) {
      if (doc < maxDoc && (live === null || live.get(doc)) && searcher.stored(docBase + doc).id === ids[i])
        found.add(doc);
    }
  }
}
