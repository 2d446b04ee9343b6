import { geometryWkt } from '@shoal/values';
import type { PlanOf } from '../execute/plan-of.js';
import { shapeWeight } from '../execute/weights/shape.js';
import { isNestedField } from './field-facts.js';
import type { PlanKind } from './plan-kind.js';

/** Shapes with a relation to a shape. */
export const shapeKind: PlanKind<PlanOf<'shape'>> = {
  luceneName: 'LatLonShapeQuery',
  weight: shapeWeight,
  describe: ({ field, shape, relation }) => `${field}:${relation.toUpperCase()}:geometries([${geometryWkt(shape)}])`,
  scoresConstant: true,
  mayMatchNested: ({ field }, mapping) => isNestedField(field, mapping),
};
