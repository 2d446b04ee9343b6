import { errors } from '@shoal/errors';
import { createWeight, type ParseContext, type ParsedQuery, type Plan, parseQuery, planQuery, type PlanContext, type TopDocs } from '@shoal/query';

/** One pass over the best hits of a shard that changes their scores. */
export interface Rescore {
  readonly windowSize: number;
  readonly query: ParsedQuery;
  readonly queryWeight: number;
  readonly rescoreWeight: number;
  readonly combine: (first: number, second: number) => number;
}

const WINDOW_SIZE = 10;

const SCORE_MODES: ReadonlyMap<string, Rescore['combine']> = new Map<string, Rescore['combine']>([
  ['total', (first, second) => Math.fround(first + second)],
  ['multiply', (first, second) => Math.fround(first * second)],
  ['avg', (first, second) => Math.fround(Math.fround(first + second) / 2)],
  ['max', Math.max],
  ['min', Math.min],
]);

interface RescoreJson {
  readonly window_size?: number | string;
  readonly query?: { readonly rescore_query?: unknown; readonly query_weight?: number; readonly rescore_query_weight?: number; readonly score_mode?: string };
}

/** Reads `rescore`: one pass or several. */
export function parseRescore(json: unknown, context: ParseContext): readonly Rescore[] {
  if (json === undefined || json === null) return [];
  return (Array.isArray(json) ? json : [json]).map((one) => parseOne(one as RescoreJson, context));
}

function parseOne({ window_size: windowSize, query = {} }: RescoreJson, context: ParseContext): Rescore {
  const mode = query.score_mode ?? 'total';
  const combine = SCORE_MODES.get(mode.toLowerCase());
  if (combine === undefined) throw errors.illegalArgument(`illegal score_mode [${mode}]`);
  return {
    windowSize: windowSize === undefined ? WINDOW_SIZE : Number(windowSize),
    query: parseQuery(query.rescore_query, context),
    queryWeight: Math.fround(query.query_weight ?? 1),
    rescoreWeight: Math.fround(query.rescore_query_weight ?? 1),
    combine,
  };
}

/** Hits that a shard needs for its rescore passes. */
export function rescoreWindow(rescore: readonly Rescore[], shardSize: number, windowMax: number): number {
  for (const { windowSize } of rescore) {
    if (windowSize > windowMax) {
      throw errors.illegalArgument(
        `Rescore window [${windowSize}] is too large. It must be less than [${windowMax}]. This prevents allocating massive heaps for storing the results to be rescored. ` +
          'This limit can be set by changing the [index.max_rescore_window] index level setting.',
      );
    }
  }
  return rescore.reduce((most, { windowSize }) => Math.max(most, windowSize), shardSize);
}

/** Runs the passes in order; hits behind a pass's window stay behind it with their scores. */
export function applyRescore(top: TopDocs, rescore: readonly Rescore[], context: PlanContext): TopDocs {
  return rescore.reduce((hits, pass) => rescoreOnce(hits, pass, planQuery(pass.query, context), context), top);
}

function rescoreOnce(top: TopDocs, pass: Rescore, plan: Plan, context: PlanContext): TopDocs {
  const size = Math.min(pass.windowSize, top.docs.length);
  const second = secondScores(top.docs.slice(0, size), plan, context);
  const order = Array.from({ length: size }, (_, i) => {
    const first = Math.fround(top.scores[i]! * pass.queryWeight);
    const found = second.get(top.docs[i]!);
    return { doc: top.docs[i]!, score: found === undefined ? first : pass.combine(first, Math.fround(found * pass.rescoreWeight)) };
  }).sort((a, b) => b.score - a.score || a.doc - b.doc);
  const docs = top.docs.slice();
  const scores = top.scores.slice();
  order.forEach((hit, i) => {
    docs[i] = hit.doc;
    scores[i] = hit.score;
  });
  return { docs, scores };
}

function secondScores(docs: Int32Array, plan: Plan, { searcher }: PlanContext): Map<number, number> {
  const ascending = docs.sort();
  const weight = createWeight(plan, searcher, { needsScores: true });
  const found = new Map<number, number>();
  for (const view of searcher.segments) {
    const own = ascending.filter((doc) => doc >= view.docBase && doc < view.docBase + view.maxDoc).map((doc) => doc - view.docBase);
    const matcher = own.length === 0 ? null : weight.matcher(view, true);
    if (matcher === null) continue;
    const scores = new Float64Array(own.length);
    const count = matcher.filter(own, own.length, scores);
    for (let i = 0; i < count; i++) found.set(own[i]! + view.docBase, Math.fround(scores[i]!));
  }
  return found;
}
