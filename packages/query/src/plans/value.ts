import { numbersOfField, termsOfField } from '../percolate/required-terms.js';
import type { FieldType, ValueQuery } from '@shoal/mapping';
import { stringify } from '@shoal/json';
import { compareTerms } from '@shoal/codec';
import { formatDouble, formatFloat, formatIp, sortableBound } from '@shoal/values';
import type { PlanOf } from '../execute/plan-of.js';
import { booleanScorer, valueWeight } from '../execute/weights/value.js';
import type { WeightContext } from '../execute/weight-context.js';
import type { TextFinder } from '../highlight/matching.js';
import { predicateMatches, termMatches } from '../highlight/text-terms.js';
import { NANOS_PER_MILLI } from '../nanoseconds.js';
import type { Searcher } from '../searcher.js';
import { idfOf, weightOfFreq } from './explain-frequency.js';
import { explainAsWhole, type ExplainPlace } from './explanation.js';
import { type Explanation, noMatch } from './explanation-tree.js';
import { isNestedField } from './field-facts.js';
import type { DescribeContext, PlanKind } from './plan-kind.js';

/** Returns a value or range in Lucene's notation. */
export function describeValue(field: string, query: ValueQuery, options: DescribeContext): string {
  if (query.kind === 'none')
    return query.reversed === undefined ? 'MatchNoDocsQuery("")' : describeValue(field, query.reversed, options);
  if (query.kind === 'term') return `${field}:${query.term}`;
  if (query.kind === 'dictionary') {
    const text = `${field}:${query.text}`;
    if (query.docValuesText === null) return text;
    if (options.bothWays !== true) return query.docValuesText;
    return `IndexOrDocValuesQuery(indexQuery=${text}, dvQuery=${query.docValuesText})`;
  }
  const type = options.mapping?.field(field) ?? null;
  if (query.kind === 'terms') return describeTermRange(field, query, type);
  const floats = floatBounds(query, type);
  const [low, high] = floats === null ? numberBounds(query.low, query.high, type) : floats.map(({ text }) => text);
  const text = `${field}:[${low} TO ${high}]`;
  const docValues = floats === null ? text : `${field}:[${floats.map(({ sortable }) => sortable).join(' TO ')}]`;
  if (type?.layout?.points === false && type.runtime === undefined) return docValues;
  return options.bothWays !== true || low === high || type?.layout?.column === null
    ? text
    : `IndexOrDocValuesQuery(indexQuery=${text}, dvQuery=${docValues})`;
}

/** Ends of a range of floating-point numbers, which Lucene keeps in doc values as integers; null for others. */
function floatBounds(
  { low, high }: Extract<ValueQuery, { low: number | bigint }>,
  type: FieldType | null,
): { readonly text: string; readonly sortable: bigint }[] | null {
  const bits = type?.capabilities.floatBits ?? null;
  if (bits === null) return null;
  const format = bits === 64 ? formatDouble : formatFloat;
  return [sortableBound(Number(low), bits, true), sortableBound(Number(high), bits, false)].map(
    ({ value, sortable }) => ({ text: format(value), sortable }),
  );
}

/** The term by which 8.12 indexes a boolean. */
export const booleanTerm = (value: number | bigint): string => (Number(value) === 1 ? 'T' : 'F');

/** Returns a single boolean in Lucene's notation; null for other queries. */
function describeBoolean({ field, query, isTerm }: PlanOf<'value'>, { mapping }: DescribeContext): string | null {
  if (isTerm !== true || query.kind !== 'number' || mapping?.field(field)?.valueKind !== 'boolean') return null;
  return `${field}:${booleanTerm(query.low)}`;
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
  const open = query.includeLow || query.low === null ? '[' : '{';
  const close = query.includeHigh || query.high === null ? ']' : '}';
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

/** A boolean is explained as the term that 8.12 indexes it by, `T` or `F`. */
function explainValue(plan: PlanOf<'value'>, context: WeightContext, place: ExplainPlace): Explanation {
  const whole = explainAsWhole(plan, context, place);
  if (plan.isTerm === true && !whole.match) return noMatch('no matching term');
  const scored = plan.isTerm === true ? booleanScorer(plan, context) : null;
  if (scored === null || plan.query.kind !== 'number') return whole;
  const { scorer, docFreq } = scored;
  const text = `${plan.field}:${booleanTerm(plan.query.low)}`;
  const freqText = 'freq, occurrences of term within document';
  return weightOfFreq(text, plan.field, scorer, 1, [idfOf(scorer, docFreq)], freqText, place);
}

/** Values of numbers, dates and booleans, or a range of terms. */
export const valueKind: PlanKind<PlanOf<'value'>> = {
  requiredTerms({ field, query }, requirements) {
    if (query.kind === 'term') return termsOfField(field, [query.term], requirements);
    return query.kind === 'number' ? numbersOfField(field, [[query.low, query.high]], requirements) : null;
  },
  luceneName: 'IndexOrDocValuesQuery',
  weight: valueWeight,
  describe: (plan, context) => describeBoolean(plan, context) ?? describeValue(plan.field, plan.query, context),
  scoresConstant: true,
  explain: explainValue,
  mayMatchNested({ field, query }, mapping) {
    const { kind } = query.kind === 'none' ? (query.reversed ?? query) : query;
    // 8.12 knows nothing of the queries of range fields.
    if (kind === 'dictionary') return true;
    return (kind === 'terms' && mapping.field(field)?.valueKind !== 'ip') || isNestedField(field, mapping);
  },
  canMatch({ field, query }, searcher) {
    if (query.kind === 'number') return overlaps(searcher, field, query.low, query.high);
    if (query.kind !== 'nanos') return query.kind !== 'none';
    return overlaps(searcher, field, Number(query.low / NANOS_PER_MILLI), Number(query.high / NANOS_PER_MILLI));
  },
  textFinder: rangeFinder,
};
