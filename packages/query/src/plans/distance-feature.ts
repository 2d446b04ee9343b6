import type { PlanOf } from '../execute/plan-of.js';
import { distanceFeatureWeight } from '../execute/weights/distance-feature.js';
import type { PlanKind } from './plan-kind.js';

/** Scores documents higher the nearer their date or point is. */
export const distanceFeatureKind: PlanKind<PlanOf<'distanceFeature'>> = {
  weight: distanceFeatureWeight,
  describe: ({ field, origin, pivot }) =>
    `LongDistanceFeatureQuery(field=${field},origin=${String(origin)},pivotDistance=${pivot})`,
};
