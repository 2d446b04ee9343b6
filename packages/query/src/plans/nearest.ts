import { compareWith } from '@shoal/segments';
import { formatFloat } from '@shoal/values';
import type { PlanOf } from '../execute/plan-of.js';
import type { WeightContext } from '../execute/weight-context.js';
import { nearestWeight } from '../execute/weights/nearest.js';
import { type ExplainPlace, scoreOfDoc } from './explanation.js';
import { explanation, type Explanation, noMatch } from './explanation-tree.js';
import type { PlanKind } from './plan-kind.js';

/** The first element of the vector as Java prints it. */
function firstElement({ vector, layout }: PlanOf<'nearest'>): string {
  const bytes = vector.slice();
  return layout.vectors!.element === 'byte'
    ? String(new Int8Array(bytes.buffer)[0])
    : formatFloat(new Float32Array(bytes.buffer)[0]!);
}

/** The query as 8.12 makes it, before it is run. */
function queryText(plan: PlanOf<'nearest'>): string {
  const kind = plan.layout.vectors!.element === 'byte' ? 'Byte' : 'Float';
  return `ProfilingKnn${kind}VectorQuery:${plan.field}[${firstElement(plan)},...][${plan.candidates}]`;
}

const leastScore = ({ vector, layout }: PlanOf<'nearest'>, similarity: number): number =>
  compareWith(vector, layout.vectors!).scoreOf(similarity);

/** The documents whose vectors are nearest to a vector. */
export const nearestKind: PlanKind<PlanOf<'nearest'>> = {
  luceneNameOf: ({ isGlobal }) => (isGlobal ? 'KnnScoreDocQuery' : 'DocAndScoreQuery'),
  weight: nearestWeight,
  describe: (plan, { isRun = false }) => {
    if (isRun && plan.isGlobal) return 'ScoreAndDocQuery';
    const nearest = isRun ? `DocAndScore[${plan.candidates}]` : queryText(plan);
    if (plan.isGlobal || plan.similarity === null) return nearest;
    const [similarity, score] = [plan.similarity, leastScore(plan, plan.similarity)].map(formatFloat);
    return `VectorSimilarityQuery[similarity=${similarity}, docScore=${score}, innerKnnQuery=${nearest}]`;
  },
  wrapsBoost: 'always',
  hidesBoost: ({ isGlobal }) => isGlobal,
  explain: (plan, context, place) =>
    plan.isGlobal || plan.similarity === null
      ? explainNearest(plan, context, place)
      : explainSimilarity(plan, plan.similarity, context, place),
};

function explainNearest(plan: PlanOf<'nearest'>, context: WeightContext, { segment, doc }: ExplainPlace): Explanation {
  const score = scoreOfDoc(context.weight(plan, context).matcher(segment, true), doc);
  const top = plan.isGlobal ? 'top k documents' : `top ${plan.candidates}`;
  return score === null ? noMatch(`not in ${top}`) : explanation(score, `within ${top}`);
}

/** Explains a query that leaves out documents below a similarity. */
function explainSimilarity(
  plan: PlanOf<'nearest'>,
  similarity: number,
  context: WeightContext,
  place: ExplainPlace,
): Explanation {
  const found = explainNearest({ ...plan, similarity: null, boost: 1 }, { ...context, boost: 1 }, place);
  if (!found.match) return found;
  const least = leastScore(plan, similarity);
  if (found.value >= least)
    return explanation(found.value * plan.boost * context.boost, 'vector similarity within limit', [found]);
  const [score, limit, given] = [found.value, least, similarity].map((value) => value.toFixed(6));
  return noMatch(
    `vector found, but score [${score}] is less than matching minimum score [${limit}] from similarity [${given}]`,
    [found],
  );
}
