import type { JsonObject } from '@shoal/json';
import { errors } from '@shoal/errors';
import type { FieldType } from '@shoal/mapping';
import { parseDistance, parseTimeValue } from '@shoal/values';
import { NANOS_PER_MILLI } from '../nanoseconds.js';
import { any, readOptions, type Reader, unsupportedValue } from '../parse/options.js';
import type { ParsedQuery, PlanContext, QueryType } from '../parsed-query.js';
import type { Plan } from '../plan.js';
import { nonePlan } from '../plan-query.js';
import { onePoint } from './geo-field.js';

/** Scores documents higher the nearer their date or point is. */
export const distanceFeature: QueryType = { name: 'distance_feature', parse: (body) => parse(body as JsonObject) };

function parse(body: JsonObject): ParsedQuery {
  const options = readOptions('distance_feature', body, { field: onlyText, origin: any, pivot: onlyText }, 'declared');
  const missing = (['field', 'origin', 'pivot'] as const).filter((key) => options[key] === undefined);
  if (missing.length > 0) throw errors.illegalArgument(`Required [${missing.join(', ')}]`);
  const { field, origin, pivot, boost, queryName } = options;
  return { type: 'distance_feature', boost, queryName, plan: (context) => plan(field!, origin, pivot!, context) };
}

const onlyText: Reader<string> = (value, { type, container, key }) => {
  if (typeof value === 'string') return value;
  throw unsupportedValue(type, String(key), container as JsonObject);
};

function plan(field: string, origin: unknown, pivot: string, context: PlanContext): Plan {
  const type = context.searcher.mapping.field(field);
  if (type === null) return nonePlan(`Can't run [distance_feature] query on unmapped fields!`);
  if (type.valueKind === 'geo') {
    const point = onePoint(origin);
    return {
      kind: 'distanceFeature',
      field: type.name,
      origin: [point.lat, point.lon],
      pivot: positive(parseDistance(pivot)),
      boost: 1,
    };
  }
  if (type.valueKind !== 'date')
    throw errors.illegalArgument(
      `Illegal data type of [${type.typeName}]![distance_feature] query can only be run on a date, date_nanos or ` +
        'geo_point field type!',
    );
  const moment = dateOrigin(type, origin, context);
  const pivotMs = parseTimeValue(pivot, 'distance_feature.pivot');
  return {
    kind: 'distanceFeature',
    field: type.name,
    ...(type.nanosField === undefined ? {} : { nanosField: type.nanosField }),
    origin: moment,
    pivot: positive(typeof moment === 'bigint' ? Math.round(pivotMs * Number(NANOS_PER_MILLI)) : pivotMs),
    boost: 1,
  };
}

function positive(pivot: number): number {
  if (pivot > 0) return pivot;
  throw errors.illegalArgument(`pivotDistance must be > 0, got ${pivot}`);
}

/**
 * Parses `origin` of a date: milliseconds, or nanoseconds as a bigint for fields that have them. A date without smaller
 * units, such as a month, means its end.
 */
function dateOrigin(type: FieldType, origin: unknown, { now }: PlanContext): number | bigint {
  const bounds = type.rangeQuery({ lte: origin }, { now });
  if (bounds.kind === 'nanos') return bounds.high;
  return bounds.kind === 'number' ? bounds.high : now();
}
