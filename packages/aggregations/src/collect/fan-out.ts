import { errors } from '@shoal/errors';
import type { SegmentView } from '@shoal/query';
import type {
  GeoColumn,
  MultiNumbers,
  MultiOrdinals,
  NumberColumn,
  OrdinalColumn,
  SegmentReader,
} from '@shoal/segments';
import type { AggregationNode } from '../aggregation-type.js';

/** Values that a document is taken to have in a column with several, and objects in a nested one. */
const VALUES_MANY = 100;
/** The same for a column whose documents have many on the average. */
const [AVERAGE_MANY, VALUES_VERY_MANY] = [50, 1000];
/** The same below nested objects, whose values are not looked at. */
const VALUES_BELOW_NESTED = 10;
/** Trees whose documents are put into no more buckets by this estimate are collected without looking at the values. */
const BUCKETS_FEW = 999;
/** Buckets that documents are put into in a turn. */
const BUCKETS_AT_ONCE = 200_000;
/** Buckets that one document may be put into. */
const DOCUMENT_BUCKETS_MAX = 2_000_000;

/** A column with several values. */
interface SeveralValues {
  readonly average: number;
  /** Number of values of each document, each counted once where they are in order. */
  counts(docs: Int32Array, count: number): Int32Array;
}

function severalValues(reader: SegmentReader, field: string): SeveralValues | null {
  const numbers = { starts: new Int32Array(1), values: new Float64Array(0) };
  const number = reader.numbers(field);
  if (number !== null)
    return severalOf(number, (docs, count) => {
      number.readAll(docs, count, numbers);
      return distinctCounts(numbers, count);
    });
  const term = reader.ordinals(field);
  const ordinals = { starts: numbers.starts, values: new Int32Array(0) };
  if (term !== null)
    return severalOf(term, (docs, count) => {
      term.readAll(docs, count, ordinals);
      return distinctCounts(ordinals, count);
    });
  const point = reader.geo(field);
  if (point === null) return null;
  const lons = { starts: new Int32Array(1), values: new Float64Array(0) };
  return severalOf(point, (docs, count) => {
    point.readAll(docs, count, numbers, lons);
    return distinctCounts(numbers, count);
  });
}

function severalOf(
  { isSingleValued, valueCount, docsWithField }: NumberColumn | OrdinalColumn | GeoColumn,
  counts: SeveralValues['counts'],
): SeveralValues | null {
  return isSingleValued ? null : { average: valueCount / Math.max(1, docsWithField), counts };
}

function distinctCounts({ starts, values }: MultiNumbers | MultiOrdinals, count: number): Int32Array {
  const counts = new Int32Array(count);
  for (let i = 0; i < count; i++)
    for (let j = starts[i]!; j < starts[i + 1]!; j++) if (j === starts[i]! || values[j] !== values[j - 1]) counts[i]!++;
  return counts;
}

/** One aggregation over one segment: into how many of its buckets a document of one bucket around it may be put. */
interface Level {
  readonly columns: readonly SeveralValues[];
  /** Buckets that all documents may be put into: ranges that overlap, and values that are not looked at. */
  readonly factor: number;
  readonly most: number;
  readonly isNested: boolean;
  readonly below: readonly Level[];
}

function levelOf(node: AggregationNode, reader: SegmentReader, isBelowNested: boolean): Level {
  const { shape, reads = [], combines = [], overlapping = 1, bucketsMax = Number.POSITIVE_INFINITY } = node.behaviour;
  const fields = shape === 'multi' ? [...reads.map(({ source }) => source.field), ...combines] : [];
  const isNested = node.behaviour.nestedPathBelow !== undefined && node.type === 'nested';
  const found = fields.flatMap((field) => severalValues(reader, field) ?? []);
  return {
    columns: isBelowNested ? [] : found,
    factor: overlapping * (isBelowNested ? VALUES_BELOW_NESTED ** found.length : 1),
    most: bucketsMax,
    isNested: isNested && !isBelowNested,
    below: node.subs.map((sub) => levelOf(sub, reader, isBelowNested || isNested)),
  };
}

function estimate({ columns, factor, most, isNested, below }: Level): number {
  const values = columns.reduce(
    (product, { average }) => product * (average > AVERAGE_MANY ? VALUES_VERY_MANY : VALUES_MANY),
    isNested ? VALUES_MANY : 1,
  );
  return Math.min(most, values * factor) * Math.max(1, ...below.map(estimate));
}

/** Buckets that each of some documents is put into, of an aggregation and those below it. */
function bucketsOf(level: Level, reader: SegmentReader, docs: Int32Array, count: number): Float64Array {
  const own = new Float64Array(count).fill(level.factor);
  for (const column of level.columns) {
    const counts = column.counts(docs, count);
    for (let i = 0; i < count; i++) own[i]! *= Math.max(1, counts[i]!);
  }
  if (level.isNested)
    for (let i = 0; i < count; i++) own[i]! *= docs[i]! - (reader.roots?.previous(docs[i]! - 1) ?? -1);
  const all = new Float64Array(count).fill(1);
  for (const below of level.below) {
    const buckets = bucketsOf(below, reader, docs, count);
    for (let i = 0; i < count; i++) all[i]! += buckets[i]!;
  }
  for (let i = 0; i < count; i++) all[i] = Math.min(own[i]!, level.most) * all[i]!;
  return all;
}

/**
 * Makes a function that returns how many of the next documents may be collected in one turn: values of several fields
 * make buckets of buckets, so that a document of 100 values in three levels of `terms` is put into a million. Null
 * where no document is put into many. The function throws illegal_argument_exception for a document that is put into
 * too many for a turn.
 */
export function fittingDocs(
  nodes: readonly AggregationNode[],
  { reader }: SegmentView,
): ((docs: Int32Array, count: number) => number) | null {
  const levels = nodes.map((node) => levelOf(node, reader, false)).filter((level) => estimate(level) > BUCKETS_FEW);
  if (levels.length === 0) return null;
  return (docs, count) => {
    const all = levels.map((level) => bucketsOf(level, reader, docs, count));
    let sum = 0;
    for (let i = 0; i < count; i++) {
      const buckets = all.reduce((total, own) => total + own[i]!, 0);
      if (buckets > DOCUMENT_BUCKETS_MAX)
        throw errors.illegalArgument(
          `The values of a document put it into [${Math.round(buckets)}] buckets of nested aggregations, ` +
            `more than [${DOCUMENT_BUCKETS_MAX}]`,
        );
      sum += buckets;
      if (sum > BUCKETS_AT_ONCE && i > 0) return i;
    }
    return count;
  };
}
