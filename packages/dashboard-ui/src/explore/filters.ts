import type { Query } from '../kql/kql-query.js';

/** How a filter compares. */
export type FilterOperator = 'is' | 'is_not' | 'in' | 'not_in' | 'exists' | 'missing' | 'gte' | 'lt';

/** A condition that every document shown meets. */
export interface Filter {
  readonly field: string;
  readonly op: FilterOperator;
  /** One value; several for `in`; none for `exists` and `missing`. Numbers are texts, so they stay exact. */
  readonly value?: string | readonly string[];
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

/** The opposite of a filter. */
export const negated = (filter: Filter): Filter => ({ ...filter, op: OPPOSITES[filter.op] });

/** Values of a filter, as texts. */
export const filterValues = ({ value }: Filter): readonly string[] =>
  value === undefined ? [] : typeof value === 'string' ? [value] : value;

/** Name of a filter: `level: error`, `not level: error`, `size: at least 10`. */
export function filterName(filter: Filter): string {
  const { field, op } = filter;
  const whole = filterValues(filter).join(' or ');
  const value = whole.length > VALUE_SHOWN_MAX ? `${whole.slice(0, VALUE_SHOWN_MAX)}…` : whole;
  if (op === 'exists') return `${field}: has a value`;
  if (op === 'missing') return `${field}: has no value`;
  if (op === 'gte') return `${field}: at least ${value}`;
  if (op === 'lt') return `${field}: less than ${value}`;
  return op === 'is_not' || op === 'not_in' ? `not ${field}: ${value}` : `${field}: ${value}`;
}

/** The query of a filter. */
export function filterQuery(filter: Filter): Query {
  const { field, op } = filter;
  const is = (value: string): Query => ({ match_phrase: { [field]: value } });
  const values = filterValues(filter);
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
