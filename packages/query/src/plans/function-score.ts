import type { PlanOf } from '../execute/plan-of.js';
import { functionScoreWeight } from '../execute/weights/function-score.js';
import { explainFunctions } from './explain-functions.js';
import type { PlanKind } from './plan-kind.js';

/** A plan whose scores are changed by functions. */
export const functionScoreKind: PlanKind<PlanOf<'functionScore'>> = {
  requiredTerms: ({ plan }, { of }) => of(plan),
  luceneName: 'FunctionScoreQuery',
  weight: functionScoreWeight,
  describe({ plan, functions }, { text }) {
    const filters = functions.map(({ filter }) => `{filter(${filter === null ? '*:*' : text(filter)})}`);
    return `function score (${text(plan)}, functions: [${filters.join('')}])`;
  },
  explain: explainFunctions,
  canMatch: ({ plan }, _searcher, inner) => inner(plan),
  matching: ({ plan }, inner) => inner(plan),
  highlightedParts: ({ plan }) => [plan],
  sameDocuments: ({ plan, functions }) => [plan, ...functions.flatMap(({ filter }) => (filter ? [filter] : []))],
  profiledParts: ({ plan }) => [plan],
  scoredParts: ({ plan }) => [plan],
};
