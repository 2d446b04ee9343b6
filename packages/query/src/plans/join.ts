import { formatFloat } from '@shoal/values';
import type { PlanOf } from '../execute/plan-of.js';
import { joinWeight } from '../execute/weights/join.js';
import type { WeightContext } from '../execute/weight-context.js';
import { type ExplainPlace, scoreOfDoc } from './explanation.js';
import { explanation, type Explanation, noMatch } from './explanation-tree.js';
import type { PlanKind } from './plan-kind.js';

/** Whether Lucene keeps scores or counts of the matches of an id, and not only the id. */
const isCounting = ({ scoreMode, minMatches, maxMatches }: PlanOf<'join'>): boolean =>
  scoreMode !== 'none' || minMatches > 1 || maxMatches !== null;

function explainJoin(plan: PlanOf<'join'>, context: WeightContext, place: ExplainPlace): Explanation {
  const column = place.segment.reader.ordinals(plan.field);
  const ordinal = new Int32Array(1).fill(-1);
  column?.read(Int32Array.of(place.doc), 1, ordinal);
  if (column === null || ordinal[0]! < 0) return noMatch('Not a match');
  const value = column.term(ordinal[0]!);
  const score = scoreOfDoc(context.weight(plan, context).matcher(place.segment, true), place.doc);
  if (score === null) return noMatch(`Not a match, join value ${value}`);
  const boost = Math.fround(context.boost * plan.boost);
  const suffix = isCounting(plan) && boost !== 1 ? `^${formatFloat(boost)}` : '';
  return explanation(score, `A match, join value ${value}${suffix}`);
}

/** Documents that share an id with matches of another relation. */
export const joinKind: PlanKind<PlanOf<'join'>> = {
  luceneName: 'GlobalOrdinalsQuery',
  weight: joinWeight,
  describe: ({ field }) => `LateParsingQuery {joinField=${field}}`,
  explain: explainJoin,
  mayMatchNested: () => false,
  canMatch: ({ plan, targets }, _searcher, inner) => inner(plan) && inner(targets),
};
