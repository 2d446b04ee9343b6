import type { PlanOf } from '../execute/plan-of.js';
import { noneWeight } from '../execute/weights/match-all.js';
import { noMatch } from './explanation-tree.js';
import type { PlanKind } from './plan-kind.js';

/** No document. */
export const noneKind: PlanKind<PlanOf<'none'>> = {
  requiredTerms: () => [],
  luceneName: 'MatchNoDocsQuery',
  weight: () => noneWeight,
  describe: ({ reason }) => `MatchNoDocsQuery("${reason}")`,
  scoresConstant: true,
  explain: ({ reason }) => noMatch(reason),
  mayMatchNested: () => false,
  canMatch: () => false,
};
