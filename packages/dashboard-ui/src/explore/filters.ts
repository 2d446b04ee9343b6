import type { Query } from '../kql/kql-query.js';

/** How a filter compares. */
export type FilterOperator = 'is' | 'is_not' | 'in' | 'not_in' | 'exists' | 'missing' | 'gte' | 'lt';

/** One comparison of a field. */
export interface Condition {
  readonly field: string;
  readonly op: FilterOperator;
  /** One value; several for `in`; none for `exists` and `missing`. Numbers are texts, so they stay exact. */
  readonly value?: string | readonly string[];
}

/** What every document shown meets: a condition, or one of several. */
export interface Filter extends Condition {
  /** Further conditions, of which one is enough. */
  readonly or?: readonly Condition[];
  /** Whether documents must meet none of several conditions; one condition has an opposite instead. */
  readonly isNone?: true;
  /** Whether the filter goes along to other pages. */
  readonly isPinned?: true;
}

/** Operators by name, as they are offered. */
export const OPERATORS: readonly (readonly [op: FilterOperator, name: string])[] = [
  ['is', 'is'],
  ['is_not', 'is not'],
  ['in', 'is one of'],
  ['not_in', 'is none of'],
  ['gte', 'is at least'],
  ['lt', 'is less than'],
  ['exists', 'has a value'],
  ['missing', 'has no value'],
];

const OPPOSITES: Readonly<Record<FilterOperator, FilterOperator>> = {
  is: 'is_not',
  is_not: 'is',
  in: 'not_in',
  not_in: 'in',
  exists: 'missing',
  missing: 'exists',
  gte: 'lt',
  lt: 'gte',
};
/** Characters of a value in the name of a filter. */
const VALUE_SHOWN_MAX = 80;
/** Filters at once. */
export const FILTERS_MAX = 100;

/** Conditions of a filter at once. */
export const CONDITIONS_MAX = 20;

/** The conditions of a filter. */
export const conditionsOf = ({ or = [], isNone: _none, isPinned: _pinned, ...first }: Filter): readonly Condition[] => [
  first,
  ...or,
];

/** A filter of conditions, of which one is enough; the rest as in the filter before. */
export function withConditions(conditions: readonly Condition[], before: Filter | null): Filter {
  const [first, ...or] = conditions;
  return {
    ...first!,
    ...(or.length === 0 ? {} : { or, ...(before?.isNone ? { isNone: true } : {}) }),
    ...(before?.isPinned ? { isPinned: true } : {}),
  };
}

/** The opposite of a filter. */
export function negated({ isNone, ...filter }: Filter): Filter {
  if (filter.or === undefined) return { ...filter, op: OPPOSITES[filter.op] };
  return isNone ? filter : { ...filter, isNone: true };
}

/** A filter that goes along, or no longer. */
export const pinTurned = ({ isPinned, ...filter }: Filter): Filter =>
  isPinned ? filter : { ...filter, isPinned: true };

/** Values of a condition, as texts. */
export const conditionValues = ({ value }: Condition): readonly string[] =>
  value === undefined ? [] : typeof value === 'string' ? [value] : value;

/** Name of a filter: `level: error`, `not level: error`, `size: at least 10`, `level: error or host: a`. */
export function filterName(filter: Filter): string {
  const name = conditionsOf(filter).map(conditionName).join(' or ');
  return filter.isNone ? `none of ${name}` : name;
}

function conditionName(condition: Condition): string {
  const { field, op } = condition;
  const whole = conditionValues(condition).join(' or ');
  const value = whole.length > VALUE_SHOWN_MAX ? `${whole.slice(0, VALUE_SHOWN_MAX)}…` : whole;
  if (op === 'exists') return `${field}: has a value`;
  if (op === 'missing') return `${field}: has no value`;
  if (op === 'gte') return `${field}: at least ${value}`;
  if (op === 'lt') return `${field}: less than ${value}`;
  return op === 'is_not' || op === 'not_in' ? `not ${field}: ${value}` : `${field}: ${value}`;
}

/** The query of a filter. */
export function filterQuery(filter: Filter): Query {
  const queries = conditionsOf(filter).map(conditionQuery);
  if (filter.isNone) return { bool: { must_not: queries } };
  return queries.length === 1 ? queries[0]! : { bool: { should: queries, minimum_should_match: 1 } };
}

function conditionQuery(condition: Condition): Query {
  const { field, op } = condition;
  const is = (value: string): Query => ({ match_phrase: { [field]: value } });
  const values = conditionValues(condition);
  const any: Query =
    values.length === 1 ? is(values[0]!) : { bool: { should: values.map(is), minimum_should_match: 1 } };
  if (op === 'is' || op === 'in') return any;
  if (op === 'is_not' || op === 'not_in') return { bool: { must_not: [any] } };
  if (op === 'exists') return { exists: { field } };
  if (op === 'missing') return { bool: { must_not: [{ exists: { field } }] } };
  return { range: { [field]: { [op]: values[0] ?? '' } } };
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** Reads a filter from a part of an address; null if it is none. */
export function readFilter(value: unknown): Filter | null {
  const first = readCondition(value);
  if (first === null) return null;
  const { or = [], isNone, isPinned } = value as Record<string, unknown>;
  if (!Array.isArray(or) || or.length >= CONDITIONS_MAX) return null;
  const others = or.map(readCondition).filter((one) => one !== null);
  if (others.length < or.length) return null;
  return withConditions([first, ...others], {
    ...first,
    ...(isNone === true ? { isNone } : {}),
    ...(isPinned === true ? { isPinned } : {}),
  });
}

function readCondition(value: unknown): Condition | null {
  if (typeof value !== 'object' || value === null) return null;
  const { field, op = 'is', value: given } = value as Record<string, unknown>;
  if (!isText(field) || field === '' || !OPERATORS.some(([known]) => known === op)) return null;
  const operator = op as FilterOperator;
  if (operator === 'exists' || operator === 'missing') return { field, op: operator };
  const texts = (Array.isArray(given) ? given : [given]).map((one) =>
    typeof one === 'number' || typeof one === 'boolean' ? String(one) : one,
  );
  if (texts.length === 0 || !texts.every(isText)) return null;
  const isList = operator === 'in' || operator === 'not_in';
  if (!isList && texts.length > 1) return null;
  return { field, op: operator, value: isList ? texts : texts[0]! };
}
