import { isPlainObject, type JsonObject } from '@shoal/json';
import { type ErrorLocation, errors } from '@shoal/errors';
import type { FieldType, RangeBounds, ValueQuery } from '@shoal/mapping';
import { checkBoost, float, multipleFields, text, boolean, type OptionPlace } from '../parse/options.js';
import { NANOS_PER_MILLI } from '../nanoseconds.js';
import type { ParsedQuery, PlanContext, QueryType } from '../parsed-query.js';
import type { Plan } from '../plan.js';
import { allowsExpensive, constantPlan, nonePlan } from '../plan-query.js';
import { existsPlan } from './exists.js';
import { valuePlan } from './term.js';

/** Values between bounds; constant score. */
export const range: QueryType = { name: 'range', parse: (body) => parse(body as JsonObject) };

interface Range {
  from: unknown;
  to: unknown;
  includeFrom: boolean;
  includeTo: boolean;
  format?: string;
  timeZone?: string;
  relation?: string;
  boost: number;
  queryName: string | null;
}

type Setter = (range: Range, value: unknown, place: OptionPlace) => void;

const options: ReadonlyMap<string, Setter> = new Map<string, Setter>([
  ['from', (range, value) => void (range.from = value)],
  ['to', (range, value) => void (range.to = value)],
  ['include_lower', (range, value, place) => void (range.includeFrom = boolean(value, place))],
  ['include_upper', (range, value, place) => void (range.includeTo = boolean(value, place))],
  ['gt', (range, value) => setFrom(range, value, false)],
  ['gte', (range, value) => setFrom(range, value, true)],
  ['lt', (range, value) => setTo(range, value, false)],
  ['lte', (range, value) => setTo(range, value, true)],
  ['format', (range, value, place) => void (range.format = text(value, place))],
  ['time_zone', (range, value, place) => void (range.timeZone = text(value, place))],
  ['relation', (range, value, place) => void (range.relation = relation(text(value, place)))],
  ['boost', (range, value, place) => void (range.boost = checkBoost(float(value, place), 'range', place.container))],
  ['_name', (range, value, place) => void (range.queryName = text(value, place))],
]);

function setFrom(range: Range, value: unknown, include: boolean): void {
  range.from = value;
  range.includeFrom = include;
}

function setTo(range: Range, value: unknown, include: boolean): void {
  range.to = value;
  range.includeTo = include;
}

const RELATIONS = ['INTERSECTS', 'CONTAINS', 'WITHIN'];

function relation(name: string): string {
  const upper = name.toUpperCase();
  if (RELATIONS.includes(upper)) return upper;
  throw errors.illegalArgument(`${name} is not a valid relation`);
}

const unsupported = (key: string, location: ErrorLocation): Error =>
  errors.parsing(`[range] query does not support [${key}]`, { location });

function parse(body: JsonObject): ParsedQuery {
  let field: string | null = null;
  const found: Range = {
    from: undefined,
    to: undefined,
    includeFrom: true,
    includeTo: true,
    boost: 1,
    queryName: null,
  };
  for (const key of Object.keys(body)) {
    const clause = body[key];
    const place = { type: 'range', container: body, key };
    if (isPlainObject(clause)) {
      if (field !== null) throw multipleFields('range', field, key, body);
      field = key;
      readBounds(clause, found);
    } else if (Array.isArray(clause)) {
      // The parser of 8.12 passes over the start of an array.
      if (clause.length > 0) throw unsupported(key, { container: clause, key: 0 });
    } else if (key === '_name') found.queryName = text(clause, place);
    else if (clause !== null) throw unsupported(key, { container: body, key });
  }
  if (field === null || field === '') throw errors.illegalArgument('field name is null or empty');
  const name = field;
  return {
    type: 'range',
    boost: found.boost,
    queryName: found.queryName,
    isNone: (context) => isDisjoint(name, boundsOf(found), context),
    plan: (context) =>
      hasNoDates(name, boundsOf(found), context) ? nonePlan(NO_VALUES) : rangePlan(name, boundsOf(found), context),
  };
}

function readBounds(clause: JsonObject, into: Range): void {
  for (const key of Object.keys(clause)) {
    const set = options.get(key);
    if (set === undefined) throw unsupported(key, { container: clause, key });
    set(into, clause[key], { type: 'range', container: clause, key });
  }
}

function boundsOf(range: Range): RangeBounds {
  const bounds: Record<string, unknown> = {};
  if (range.from !== undefined && range.from !== null) bounds[range.includeFrom ? 'gte' : 'gt'] = range.from;
  if (range.to !== undefined && range.to !== null) bounds[range.includeTo ? 'lte' : 'lt'] = range.to;
  for (const key of ['format', 'timeZone', 'relation'] as const) if (range[key] !== undefined) bounds[key] = range[key];
  return bounds;
}

const NO_VALUES = 'The "range" query was rewritten to a "match_none" query.';

const METADATA_NUMBERS = ['_seq_no', '_version', '_primary_term'];

/**
 * Returns the plan of bounds on a field: `exists` when there are no bounds, a plan that matches nothing for an unmapped
 * field.
 */
export function rangePlan(field: string, bounds: RangeBounds, context: PlanContext): Plan {
  if (METADATA_NUMBERS.includes(field)) return metadataRange(field, bounds);
  const type = context.searcher.mapping.field(field);
  if (type === null) return nonePlan(NO_VALUES);
  if (!hasBounds(bounds)) return constantPlan(existsPlan(field, context));
  if (type.capabilities.hasExpensiveRanges) refuseExpensive(context);
  const query = type.rangeQuery(bounds, context);
  if (query.kind === 'none' && query.reversed !== undefined)
    return constantPlan({ kind: 'value', field: type.name, query, boost: 1 });
  if (query.kind === 'none') return nonePlan(query.reason ?? NO_VALUES);
  return constantPlan(valuePlan(type, query, context.searcher.mapping));
}

/** Returns whether a range has no value on this shard for certain: of an unmapped field, or outside of its dates. */
function isDisjoint(field: string, bounds: RangeBounds, context: PlanContext): boolean {
  if (METADATA_NUMBERS.includes(field)) return false;
  const type = context.searcher.mapping.field(field);
  if (type === null) return true;
  if (hasNoDates(field, bounds, context)) return true;
  if (!isIndexedDate(type) || !hasBounds(bounds)) return false;
  const query = type.rangeQuery(bounds, context);
  const range = query.kind === 'none' ? query.reversed : query;
  if (range === undefined) return true;
  const ends = millisOf(range);
  return ends !== null && isOutside(ends, type.name, context);
}

/** First and last milliseconds of a range of dates, which may be reversed; null for other queries. */
function millisOf(query: ValueQuery): { readonly low: number; readonly high: number } | null {
  if (query.kind === 'number') return query;
  if (query.kind !== 'nanos') return null;
  return { low: Number(query.low / NANOS_PER_MILLI), high: Number(query.high / NANOS_PER_MILLI) };
}

/** Whether the least and the greatest date of the shard show that a range has none: gaps between its dates do not. */
function isOutside(
  { low, high }: { readonly low: number; readonly high: number },
  field: string,
  { searcher }: PlanContext,
): boolean {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (const { reader } of searcher.segments) {
    const column = reader.numbers(field);
    if (column === null && reader.points(field) !== null) return false;
    min = Math.min(min, column?.min ?? min);
    max = Math.max(max, column?.max ?? max);
  }
  return max < low || min > high;
}

/** Whether the bounds of values are known: those of dates that are indexed. */
const isIndexedDate = ({ valueKind, runtime, layout }: FieldType): boolean =>
  valueKind === 'date' && runtime === undefined && layout?.points === true;

/** Whether the shard has no value of an indexed date field: 8.12 does not even parse the bounds then. */
function hasNoDates(field: string, bounds: RangeBounds, { searcher }: PlanContext): boolean {
  const type = searcher.mapping.field(field);
  if (type === null || !isIndexedDate(type) || !hasBounds(bounds)) return false;
  return searcher.segments.every(
    ({ reader }) => reader.numbers(type.name) === null && reader.points(type.name) === null,
  );
}

function hasBounds({ gt, gte, lt, lte }: RangeBounds): boolean {
  return [gt, gte, lt, lte].some((bound) => bound !== undefined && bound !== null);
}

function refuseExpensive(context: PlanContext): void {
  if (allowsExpensive(context)) return;
  throw errors.exception(
    "[range] queries on [text] or [keyword] fields cannot be executed when 'search.allow_expensive_queries' is set " +
      'to false.',
    { status: 400 },
  );
}

function metadataRange(field: string, { gt, gte, lt, lte }: RangeBounds): Plan {
  const low = gte !== undefined ? Number(gte) : gt !== undefined ? Number(gt) + 1 : -Infinity;
  const high = lte !== undefined ? Number(lte) : lt !== undefined ? Number(lt) - 1 : Infinity;
  return { kind: 'value', field, query: { kind: 'number', low, high }, boost: 1 };
}
