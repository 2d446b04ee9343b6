import type { PlanOf } from '../execute/plan-of.js';
import { scriptWeight } from '../execute/weights/script.js';
import { scriptText } from '../scripts/script-text.js';
import { explainAsWhole } from './explanation.js';
import type { PlanKind } from './plan-kind.js';

/** Documents for which a script says true. */
export const scriptKind: PlanKind<PlanOf<'script'>> = {
  luceneName: 'ScriptQuery',
  weight: scriptWeight,
  describe: ({ script }) => `ScriptQuery(${scriptText(script)})`,
  scoresConstant: true,
  explain: explainAsWhole,
};
