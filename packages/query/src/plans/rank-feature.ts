import { formatFloat } from '@shoal/values';
import type { PlanOf } from '../execute/plan-of.js';
import { featureOf, hasFeature, pivotOf, rankFeatureWeight } from '../execute/weights/rank-feature.js';
import type { WeightContext } from '../execute/weight-context.js';
import { explainAsWhole, type ExplainPlace } from './explanation.js';
import { explanation, type Explanation, noMatch } from './explanation-tree.js';
import type { PlanKind } from './plan-kind.js';

const PIVOT = 'k, pivot feature value that would give a score contribution equal to w/2';
const EXPONENT = 'a, exponent, higher values make the function grow slower before k and faster after k';

function explainFeature(plan: PlanOf<'rankFeature'>, context: WeightContext, place: ExplainPlace): Explanation {
  const whole = explainAsWhole(plan, context, place);
  const [field, feature] = plan.of;
  const of = `on the ${field} field for the ${feature} feature`;
  if (!whole.match) return noMatch(`No value ${of}`);
  const { score } = plan;
  const weight = explanation(Math.fround(context.boost * plan.boost), 'w, weight of this function');
  const value = explanation(featureOf(plan, place.segment, place.doc), 'S, feature value');
  const line = (name: string, formula: string, details: readonly Explanation[]): Explanation =>
    explanation(whole.value, `${name} function ${of}, computed as ${formula} from:`, [weight, ...details, value]);
  if (score.kind === 'log')
    return line('Log', 'w * log(a + S)', [explanation(score.scalingFactor, 'a, scaling factor')]);
  if (score.kind === 'linear') return line('Linear', 'w * S', []);
  if (score.kind === 'saturation')
    return line('Saturation', 'w * S / (S + k)', [explanation(pivotOf(plan, context.searcher), PIVOT)]);
  return line('Sigmoid', 'w * S^a / (S^a + k^a)', [
    explanation(score.pivot, PIVOT),
    explanation(score.exponent, EXPONENT),
  ]);
}

function functionText({ score }: PlanOf<'rankFeature'>): string {
  if (score.kind === 'log') return `LogFunction(scalingFactor=${formatFloat(score.scalingFactor)})`;
  if (score.kind === 'linear') return 'LinearFunction';
  if (score.kind === 'saturation')
    return `SaturationFunction(pivot=${score.pivot === null ? 'null' : formatFloat(score.pivot)})`;
  return `SigmoidFunction(pivot=${formatFloat(score.pivot)}, a=${formatFloat(score.exponent)})`;
}

/** Documents that have a feature, scored by its value. */
export const rankFeatureKind: PlanKind<PlanOf<'rankFeature'>> = {
  luceneName: 'FeatureQuery',
  weight: rankFeatureWeight,
  explain: explainFeature,
  describe: (plan) => `FeatureQuery(field=${plan.of[0]}, feature=${plan.of[1]}, function=${functionText(plan)})`,
  canMatch: (plan, { segments }) => segments.some((segment) => hasFeature(plan, segment)),
};
