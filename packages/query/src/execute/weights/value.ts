import type { ValueQuery } from '@shoal/mapping';
import {
  bitSet,
  multiNumbers,
  NO_MORE_DOCS,
  type NumberColumn,
  type PointsReader,
  type SegmentReader,
} from '@shoal/segments';
import type { Matcher, Weight } from '../../matcher.js';
import { NANOS_MAX, NANOS_PER_MILLI, nanosOf } from '../../nanoseconds.js';
import type { SegmentView } from '../../searcher.js';
import { AllMatcher, BitSetMatcher } from '../matchers/bit-set-matcher.js';
import { withConstantScore } from './constant.js';
import type { PlanOf } from '../plan-of.js';
import { collectBits } from '../matchers/gather.js';
import { RangeMatcher } from '../matchers/range-matcher.js';
import { columnOf, type Scratch } from '../scratch.js';
import { termMatcher } from './term.js';
import { dictionaryMatcher, termRangeMatcher } from './term-range.js';
import {
  DEFAULT_SIMILARITY,
  fieldScoring,
  inverseDocumentFrequency,
  scoreOf,
  type TermScorer,
  termScorer,
} from '../similarity.js';
import type { WeightContext } from '../weight-context.js';

/** Weight of a number, a range of numbers, or a range of terms; constant score. */
export function valueWeight(plan: PlanOf<'value'>, context: WeightContext): Weight {
  const unscored: Weight = { matcher: (segment) => valueMatcher(plan.field, plan.query, segment, context.scratch) };
  const scored = plan.isTerm && context.needsScores ? booleanScorer(plan, context) : null;
  return withConstantScore(
    unscored,
    scored === null ? Math.fround(context.boost * plan.boost) : scoreOf(scored.scorer, 1, 1),
  );
}

/** Scorer of a boolean value, and the number of documents that have it. */
export interface BooleanScorer {
  readonly scorer: TermScorer;
  readonly docFreq: number;
}

/**
 * Returns the BM25 scorer of a boolean: a field without norms and frequencies, of which a document has each value once.
 * Null if the counts are not known.
 */
export function booleanScorer({ field, query, boost }: PlanOf<'value'>, context: WeightContext): BooleanScorer | null {
  if (query.kind !== 'number') return null;
  let docFreq = 0;
  let docCount = 0;
  let otherFreq = 0;
  for (const segment of context.searcher.segments) {
    const column = segment.reader.numbers(field) ?? segment.reader.indexedNumbers?.(field) ?? null;
    const own = countValue(field, Number(query.low), segment);
    docFreq += own;
    docCount += column?.docsWithField ?? 0;
    if (column !== null)
      otherFreq += column.isSingleValued
        ? column.docsWithField - own
        : countValue(field, 1 - Number(query.low), segment);
  }
  if (docCount < docFreq) return null;
  const scoring = fieldScoring(docCount, docFreq + otherFreq, DEFAULT_SIMILARITY);
  const idf = inverseDocumentFrequency(docFreq, docCount);
  return { scorer: termScorer(Math.fround(context.boost * boost), idf, scoring, () => []), docFreq };
}

function countValue(field: string, value: number, segment: SegmentView): number {
  const matcher = valueMatcher(field, { kind: 'number', low: value, high: value }, segment, undefined);
  return matcher === null ? 0 : collectBits(matcher, segment.maxDoc).cardinality();
}

function valueMatcher(
  field: string,
  query: ValueQuery,
  { reader, maxDoc }: SegmentView,
  scratch: Scratch | undefined,
): Matcher | null {
  switch (query.kind) {
    case 'none':
      return null;
    case 'term':
      return termMatcher(reader, field, query.term, null, 0, scratch);
    case 'number':
      return numberMatcher(reader, field, query.low, query.high, maxDoc, scratch);
    case 'bigNumber':
      return bigNumberMatcher(reader, field, query.low, query.high, maxDoc);
    case 'nanos':
      return nanosMatcher(field, query, { reader, maxDoc }, scratch);
    case 'terms':
      return termRangeMatcher(reader, field, query, maxDoc);
    case 'dictionary':
      return dictionaryMatcher(reader, field, query.matches, maxDoc);
  }
}

type NanosRange = Extract<ValueQuery, { readonly kind: 'nanos' }>;

/** First and last whole milliseconds in a range of nanoseconds, open where it has no bound. */
function wholeMillis({ low, high }: NanosRange): { readonly from: number; readonly to: number } {
  const from = low <= 0n ? -Infinity : Number((low + NANOS_PER_MILLI - 1n) / NANOS_PER_MILLI);
  return { from, to: high >= NANOS_MAX ? Infinity : Number((high + 1n) / NANOS_PER_MILLI) - 1 };
}

/**
 * Matches a range of nanoseconds: whole milliseconds by the field's column or points, and the documents of the
 * milliseconds that the range cuts by their nanoseconds.
 */
function nanosMatcher(
  field: string,
  query: NanosRange,
  { reader, maxDoc }: Pick<SegmentView, 'reader' | 'maxDoc'>,
  scratch: Scratch | undefined,
): Matcher | null {
  const { low, high, exact } = query;
  const { from, to } = wholeMillis(query);
  const cut = [...new Set([low / NANOS_PER_MILLI, high / NANOS_PER_MILLI].map(Number))].filter(
    (ms) => ms < from || (ms > to && to !== Infinity),
  );
  const nanos = reader.numbers(exact);
  const millis = reader.numbers(field);
  if (nanos === null && millis === null) return numberMatcher(reader, field, from, to, maxDoc, scratch);
  if (cut.length === 0) return numberMatcher(reader, field, from, to, maxDoc, scratch);
  const bits = bitSet(maxDoc);
  if (from <= to) collectInto(numberMatcher(reader, field, from, to, maxDoc), maxDoc, bits.words);
  const candidates = bitSet(maxDoc);
  for (const ms of cut) collectInto(numberMatcher(reader, field, ms, ms, maxDoc), maxDoc, candidates.words);
  for (let doc = candidates.next(0); doc >= 0 && doc < maxDoc; doc = candidates.next(doc + 1)) {
    const values = nanosOf(millis, nanos, doc);
    if (values.some((value) => value >= low && value <= high)) bits.set(doc);
  }
  const cost = bits.cardinality();
  return cost === 0 ? null : new BitSetMatcher(bits, 0, cost);
}

function numberMatcher(
  reader: SegmentReader,
  field: string,
  low: number,
  high: number,
  maxDoc: number,
  scratch?: Scratch,
): Matcher | null {
  const column = columnOf(reader, field, scratch);
  if (column === null) return pointsMatcher(reader.points(field), low, high, maxDoc);
  if (low > high || high < column.min || low > column.max) return null;
  if (low <= column.min && high >= column.max && column.docsWithField === maxDoc) return new AllMatcher(maxDoc, 0);
  if (!column.isExact && column.kind === 'long')
    return bigNumberMatcher(reader, field, toBig(low, column), toBig(high, column), maxDoc);
  if (!column.isSingleValued) return valuesMatcher(column, reader.points(field), low, high, maxDoc);
  return new RangeMatcher(column, reader, field, low, high, maxDoc, scratch);
}

function valuesMatcher(
  column: NumberColumn,
  points: PointsReader | null,
  low: number,
  high: number,
  maxDoc: number,
): Matcher | null {
  return points === null ? scannedMatcher(column, low, high, maxDoc) : pointsMatcher(points, low, high, maxDoc);
}

function pointsMatcher(points: PointsReader | null, low: number, high: number, maxDoc: number): Matcher | null {
  if (points === null) return null;
  const bits = bitSet(maxDoc);
  points.collect(low, high, bits);
  const cost = bits.cardinality();
  return cost === 0 ? null : new BitSetMatcher(bits, 0, cost);
}

/** Matches a multi-valued column without points by reading every value. */
function scannedMatcher(column: NumberColumn, low: number, high: number, maxDoc: number): Matcher | null {
  const bits = bitSet(maxDoc);
  const values = multiNumbers();
  const doc = new Int32Array(1);
  for (let at = column.nextDocWithField(0); at < maxDoc; at = column.nextDocWithField(at + 1)) {
    doc[0] = at;
    column.readAll(doc, 1, values);
    for (let i = 0; i < values.starts[1]!; i++) if (values.values[i]! >= low && values.values[i]! <= high) bits.set(at);
  }
  return new BitSetMatcher(bits, 0);
}

/** Bounds that no value of a column exceeds: signed values end at 2^63 - 1, unsigned ones at 2^64 - 1. */
const LEAST = -(2n ** 63n);
const GREATEST = 2n ** 64n - 1n;

function toBig(bound: number, column: NumberColumn): bigint {
  if (bound === Infinity || bound > column.max) return GREATEST;
  if (bound === -Infinity || bound < column.min) return LEAST;
  return BigInt(Math.trunc(bound));
}

function bigNumberMatcher(
  reader: SegmentReader,
  field: string,
  low: bigint,
  high: bigint,
  maxDoc: number,
): Matcher | null {
  const points = reader.points(field);
  const column = reader.numbers(field);
  const bits = bitSet(maxDoc);
  if (points !== null) points.collectBig(low, high, bits);
  else if (column !== null) scanBig(column, low, high, maxDoc, (doc) => bits.set(doc));
  const cost = bits.cardinality();
  return cost === 0 ? null : new BitSetMatcher(bits, 0, cost);
}

function scanBig(column: NumberColumn, low: bigint, high: bigint, maxDoc: number, take: (doc: number) => void): void {
  for (
    let doc = column.nextDocWithField(0);
    doc < maxDoc && doc !== NO_MORE_DOCS;
    doc = column.nextDocWithField(doc + 1)
  ) {
    if (column.bigs(doc).some((value) => value >= low && value <= high)) take(doc);
  }
}

/** Weight of any of several numbers; constant score. */
export function numbersWeight(plan: PlanOf<'numbers'>, context: WeightContext): Weight {
  const unscored: Weight = { matcher: (segment) => numbersMatcher(plan, segment) };
  return withConstantScore(unscored, Math.fround(context.boost * plan.boost));
}

function numbersMatcher({ field, values }: PlanOf<'numbers'>, { reader, maxDoc }: SegmentView): Matcher | null {
  const bits = bitSet(maxDoc);
  let found = false;
  for (const value of values) {
    const matcher =
      typeof value === 'bigint'
        ? bigNumberMatcher(reader, field, value, value, maxDoc)
        : numberMatcher(reader, field, value, value, maxDoc);
    if (matcher === null) continue;
    if (values.length === 1) return matcher;
    found = true;
    collectInto(matcher, maxDoc, bits.words);
  }
  return found ? new BitSetMatcher(bits, 0) : null;
}

function collectInto(matcher: Matcher | null, maxDoc: number, words: Int32Array): void {
  if (matcher === null) return;
  const bits = collectBits(matcher, maxDoc);
  for (let w = 0; w < words.length; w++) words[w]! |= bits.words[w]!;
}
