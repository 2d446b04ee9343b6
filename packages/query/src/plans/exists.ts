import type { Mapping } from '@shoal/mapping';
import type { PlanOf } from '../execute/plan-of.js';
import { existsWeight } from '../execute/weights/exists.js';
import type { PlanKind } from './plan-kind.js';

/** Fields without doc values and norms are found by their names in `_field_names`. */
function hasOwnValues(field: string, mapping: Mapping | undefined): boolean {
  const type = mapping?.field(field) ?? null;
  const layout = type?.layout ?? null;
  if (layout === null) return type?.typeName !== 'binary';
  return layout.column !== null || (layout.terms?.norms ?? false);
}

/** Documents with a value of a field. */
export const existsKind: PlanKind<PlanOf<'exists'>> = {
  luceneName: 'FieldExistsQuery',
  weight: existsWeight,
  describe: ({ field }, { mapping }) =>
    hasOwnValues(field, mapping) ? `FieldExistsQuery [field=${field}]` : `_field_names:${field}`,
};
