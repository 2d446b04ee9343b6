import { parseExact } from '@shoal/values';
import { at, keyText, listAt, numberAt } from '../request/exact-answer.js';
import { type Field, isLeafField } from './fields.js';
import type { ChartBucket } from './search-body.js';

/** Name of the part of documents with other values, or none. */
const OTHERS = 'Others';

/** Parts of the buckets of a chart: a number for each value in each bucket, the others last. */
export interface ChartSeries {
  readonly names: readonly string[];
  readonly parts: readonly (readonly number[])[];
}

/** Fields whose values can break a chart down. */
export const breakdownFields = (fields: readonly Field[], timeField: string | null): readonly string[] =>
  fields.filter((one) => isLeafField(one) && one.isAggregatable && one.name !== timeField).map(({ name }) => name);

/** Reads the parts of buckets out of the answer that has them. A document with several values is in several parts. */
export function readSeries(text: string, buckets: readonly ChartBucket[]): ChartSeries {
  const series = listAt(at(parseExact(text), 'aggregations'), 'series', 'buckets');
  const counts = series.map(
    (one) =>
      new Map(
        listAt(one, 'time', 'buckets').map((bucket) => [numberAt(bucket, 'key'), numberAt(bucket, 'doc_count') ?? 0]),
      ),
  );
  const parts = buckets.map((bucket) => {
    const own = counts.map((count) => count.get(bucket.at) ?? 0);
    return [...own, Math.max(0, bucket.count - own.reduce((sum, count) => sum + count, 0))];
  });
  if (parts.some((part) => part.at(-1)! > 0)) return { names: [...series.map(keyText), OTHERS], parts };
  return { names: series.map(keyText), parts: parts.map((part) => part.slice(0, -1)) };
}
