import { errors } from '@shoal/errors';
import {
  createWeight,
  type GlobalStatistics,
  type Pause,
  type Plan,
  planQuery,
  type PlanContext,
  type QueryRescore,
  type ModelRescore,
  type Rescore,
  type Searcher,
  treesOf,
  type TopDocs,
} from '@shoal/query';

/** Returns how many hits a shard needs for its rescore passes. Throws for a window above `windowMax`. */
export function rescoreWindow(rescore: readonly Rescore[], shardSize: number, windowMax: number): number {
  for (const { windowSize } of rescore) {
    if (windowSize > windowMax) {
      throw errors.illegalArgument(
        `Rescore window [${windowSize}] is too large. It must be less than [${windowMax}]. This prevents ` +
          'allocating massive heaps for storing the results to be rescored. ' +
          'This limit can be set by changing the [index.max_rescore_window] index level setting.',
      );
    }
  }
  return rescore.reduce((most, { windowSize }) => Math.max(most, windowSize), shardSize);
}

/** A rescore pass with the plans of its queries. */
export type RescorePass =
  | { readonly pass: QueryRescore; readonly plan: Plan }
  | { readonly pass: ModelRescore; readonly plan: null; readonly features: readonly Plan[] };

/** Plans the queries of rescore passes. Throws for those that a shard cannot run, whatever the first query finds. */
export const planRescore = (rescore: readonly Rescore[], context: PlanContext): readonly RescorePass[] =>
  rescore.map((pass) =>
    pass.kind === 'query'
      ? { pass, plan: planQuery(pass.query, context) }
      : { pass, plan: null, features: (pass.model?.features ?? []).map(({ query }) => planQuery(query, context)) },
  );

/** Where passes run; `statistics` are those of all shards, null for those of the shard. */
interface RescoreContext {
  readonly searcher: Searcher;
  readonly statistics: GlobalStatistics | null;
}

/** Runs the rescore passes in order, with pauses between them. */
export async function applyRescore(
  top: TopDocs,
  passes: readonly RescorePass[],
  context: RescoreContext,
  pause: Pause,
): Promise<TopDocs> {
  let hits = top;
  for (const one of passes) {
    hits =
      one.plan === null
        ? await rankByModel(hits, one.pass, one.features, context, pause)
        : rescoreOnce(hits, one.pass, one.plan, context);
    await pause();
  }
  return hits;
}

/** Runs one pass. Hits behind the window count as not matched by the second query. */
function rescoreOnce(top: TopDocs, pass: QueryRescore, plan: Plan, context: RescoreContext): TopDocs {
  const second = secondScores(top.docs.slice(0, pass.windowSize), plan, context);
  return inOrder(top, (doc, i) => {
    const first = Math.fround(top.scores[i]! * pass.queryWeight);
    const found = second.get(doc);
    return found === undefined ? first : pass.combine(first, Math.fround(found * pass.rescoreWeight));
  });
}

/** Ranks the hits of a window by a trained model, whose features are scores of queries; others keep their scores. */
async function rankByModel(
  top: TopDocs,
  { windowSize, model }: ModelRescore,
  plans: readonly Plan[],
  context: RescoreContext,
  pause: Pause,
): Promise<TopDocs> {
  if (model === null || top.docs.length === 0) return top;
  const features = new Map<string, { readonly scores: ReadonlyMap<number, number>; readonly otherwise: number }>();
  for (const [i, { name, defaultScore }] of model.features.entries()) {
    const scores = secondScores(top.docs.slice(0, windowSize), plans[i]!, context);
    features.set(name, { scores, otherwise: defaultScore });
    await pause();
  }
  const trees = treesOf(model, context.searcher);
  return inOrder(top, (doc, i) => {
    if (i >= windowSize) return top.scores[i]!;
    const valueOf = (name: string): number | undefined => {
      const feature = features.get(name);
      return feature && (feature.scores.get(doc) ?? feature.otherwise);
    };
    return Math.fround(trees.value(valueOf));
  });
}

/** Hits with new scores, the best one first. */
function inOrder(top: TopDocs, scoreOf: (doc: number, i: number) => number): TopDocs {
  const order = Array.from(top.docs, (doc, i) => ({ doc, score: scoreOf(doc, i) })).sort(
    (a, b) => b.score - a.score || a.doc - b.doc,
  );
  return { docs: Int32Array.from(order, (hit) => hit.doc), scores: Float32Array.from(order, (hit) => hit.score) };
}

function secondScores(docs: Int32Array, plan: Plan, { searcher, statistics }: RescoreContext): Map<number, number> {
  const ascending = docs.sort();
  const weight = createWeight(plan, searcher, { needsScores: true, statistics });
  const found = new Map<number, number>();
  for (const view of searcher.segments) {
    const own = ascending
      .filter((doc) => doc >= view.docBase && doc < view.docBase + view.maxDoc)
      .map((doc) => doc - view.docBase);
    const matcher = own.length === 0 ? null : weight.matcher(view, true);
    if (matcher === null) continue;
    const scores = new Float64Array(own.length);
    const count = matcher.filter(own, own.length, scores);
    for (let i = 0; i < count; i++) found.set(own[i]! + view.docBase, Math.fround(scores[i]!));
  }
  return found;
}
