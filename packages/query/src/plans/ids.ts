import type { PlanOf } from '../execute/plan-of.js';
import { idsWeight } from '../execute/weights/ids.js';
import type { PlanKind } from './plan-kind.js';

/** Documents by their ids. */
export const idsKind: PlanKind<PlanOf<'ids'>> = {
  weight: idsWeight,
  describe: ({ ids }) => `_id:(${ids.join(' ')})`,
  scoresConstant: true,
};
