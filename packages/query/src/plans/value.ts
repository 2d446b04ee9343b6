import type { FieldType, ValueQuery } from '@shoal/mapping';
import { stringify } from '@shoal/json';
import { compareTerms } from '@shoal/codec';
import { formatDouble, formatIp } from '@shoal/values';
import type { PlanOf } from '../execute/plan-of.js';
import { valueWeight } from '../execute/weights/value.js';
import type { TextFinder } from '../highlight/matching.js';
import { predicateMatches, termMatches } from '../highlight/text-terms.js';
import type { Searcher } from '../searcher.js';
import { isNestedField } from './field-facts.js';
import type { DescribeContext, PlanKind } from './plan-kind.js';

function describeValue(field: string, query: ValueQuery, options: DescribeContext): string {
  if (query.kind === 'none') return 'MatchNoDocsQuery("")';
  if (query.kind === 'term') return `${field}:${query.term}`;
  if (query.kind === 'dictionary') return `${field}:${query.text}`;
  const type = options.mapping?.field(field) ?? null;
  if (query.kind === 'terms') return describeTermRange(field, query, type);
  const [low, high] = numberBounds(query.low, query.high, type);
  const text = `${field}:[${low} TO ${high}]`;
  return options.bothWays !== true || low === high
    ? text
    : `IndexOrDocValuesQuery(indexQuery=${text}, dvQuery=${text})`;
}

const LONG_BOUNDS = ['-9223372036854775808', '9223372036854775807'] as const;

function numberBounds(low: number | bigint, high: number | bigint, type: FieldType | null): [string, string] {
  const isDouble = type?.layout?.column === 'double';
  const [least, most] = isDouble ? ['-Infinity', 'Infinity'] : (type?.capabilities.wholeBounds ?? LONG_BOUNDS);
  const text = (value: number | bigint): string =>
    typeof value === 'number' && isDouble ? formatDouble(value) : String(value);
  return [low === -Infinity ? least : text(low), high === Infinity ? most : text(high)];
}

function describeTermRange(
  field: string,
  query: Extract<ValueQuery, { kind: 'terms' }>,
  type: FieldType | null,
): string {
  const text = (term: string | null): string =>
    term === null ? '*' : type?.valueKind === 'ip' ? formatIp(term) : term;
  const open = query.includeLow && query.low !== null ? '[' : '{';
  const close = query.includeHigh && query.high !== null ? ']' : '}';
  return `${field}:${open}${text(query.low)} TO ${text(query.high)}${close}`;
}

/** Returns whether any segment has values in [low, high]; unknown bounds count as yes. */
function overlaps(searcher: Searcher, field: string, low: number, high: number): boolean {
  return searcher.segments.some(({ reader }) => {
    const column = reader.numbers(field);
    if (column === null) return reader.points(field) !== null;
    return !(column.min > high || column.max < low);
  });
}

/** Returns a finder for a term or a range of terms; null for ranges of numbers, which highlight nothing. */
function rangeFinder({ field, query }: PlanOf<'value'>): TextFinder | null {
  if (query.kind === 'term') return { fields: [field], find: (tokens) => termMatches(tokens, [query.term]) };
  if (query.kind !== 'terms') return null;
  const { low, high, includeLow, includeHigh } = query;
  const above = (term: string): boolean => low === null || compareTerms(term, low) >= (includeLow ? 0 : 1);
  const below = (term: string): boolean => high === null || compareTerms(term, high) <= (includeHigh ? 0 : -1);
  const accepts = (term: string): boolean => above(term) && below(term);
  return { fields: [field], find: (tokens) => predicateMatches(tokens, accepts, stringify(query)) };
}

/** Values of numbers, dates and booleans, or a range of terms. */
export const valueKind: PlanKind<PlanOf<'value'>> = {
  luceneName: 'IndexOrDocValuesQuery',
  weight: valueWeight,
  describe: ({ field, query }, context) => describeValue(field, query, context),
  scoresConstant: true,
  mayMatchNested: ({ field, query }, mapping) =>
    (query.kind === 'terms' && mapping.field(field)?.valueKind !== 'ip') || isNestedField(field, mapping),
  canMatch: ({ field, query }, searcher) =>
    query.kind === 'number' ? overlaps(searcher, field, query.low, query.high) : query.kind !== 'none',
  textFinder: rangeFinder,
};
