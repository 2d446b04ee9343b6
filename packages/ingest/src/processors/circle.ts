import { errors, toApiError } from '@shoal/errors';
import { parseCircle, planeRing, sidesOf, sphereRing } from '../geo/circle.js';
import { polygonText } from '../geo/shape-text.js';
import { isObject } from '../java-values.js';
import type { ProcessorType } from '../processor-type.js';

const TYPES = ['SHAPE', 'GEO_SHAPE'];

/** Replaces a circle by a regular polygon that approaches it. */
export const circle: ProcessorType = {
  name: 'circle',
  parse(config) {
    const field = config.string('field');
    const target = config.stringOr('target_field', field);
    const errorDistance = Math.abs(config.double('error_distance'));
    const type = config.string('shape_type');
    const ignoreMissing = config.boolean('ignore_missing', false);
    if (!TYPES.includes(type.toUpperCase()))
      throw errors.illegalArgument(`illegal [shape_type] value [${type}]. valid values are [${TYPES.join(', ')}]`);
    const ringOf = type.toUpperCase() === 'SHAPE' ? planeRing : sphereRing;
    const polygonOf = (value: unknown): unknown => {
      const parsed = parseCircle(value);
      return polygonText(ringOf(parsed, sidesOf(parsed.radius, errorDistance)), parsed.format);
    };
    return (document) => {
      const value = document.get(field, ignoreMissing) ?? null;
      if (value === null) {
        if (ignoreMissing) return;
        throw errors.illegalArgument(`field [${field}] is null, cannot process it.`);
      }
      if (typeof value !== 'string' && !isObject(value))
        throw errors.illegalArgument(`field [${field}] must be a WKT Circle or a GeoJSON Circle value`);
      try {
        document.set(target, document.copyOf(polygonOf(value)));
      } catch (thrown) {
        throw errors.illegalArgument('invalid circle definition', { cause: toApiError(thrown) });
      }
    };
  },
};
