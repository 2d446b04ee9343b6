import type { PlanOf } from '../execute/plan-of.js';
import { allWeight } from '../execute/weights/match-all.js';
import type { PlanKind } from './plan-kind.js';

/** All documents. */
export const allKind: PlanKind<PlanOf<'all'>> = {
  luceneName: 'MatchAllDocsQuery',
  weight: allWeight,
  describe: () => '*:*',
  scoresConstant: true,
};
