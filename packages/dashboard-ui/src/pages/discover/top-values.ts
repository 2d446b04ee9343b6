import {
  type ExactJson,
  type Hit,
  hitValues,
  parseExact,
  plainText,
  rawAt,
  rawElements,
  rawMembers,
  readHit,
} from '@shoal/values';
import type { Query } from '../../kql/kql-query.js';

/** A value and how many documents have it. */
export interface TopValue {
  /** The value as text; numbers as they are. */
  readonly text: string;
  readonly count: number;
}

/** Values of a field, the most frequent first. */
export interface TopValues {
  readonly values: readonly TopValue[];
  /** Documents that were looked at. */
  readonly documents: number;
  /** Documents with further values; at least so many. */
  readonly others: number;
}

const VALUES_MAX = 10;
/** Longest text that counts as a value. */
const VALUE_CHARS_MAX = 1_000;

/** Asks for the most frequent values of a field among the documents of a query. */
export const topValuesBody = (query: Query, field: string): object => ({
  size: 0,
  track_total_hits: true,
  query,
  aggs: { values: { terms: { field, size: VALUES_MAX } } },
});

/** Reads the answer to it; numbers beyond 2^53 stay exact. */
export function readTopValues(text: string): TopValues {
  const buckets = rawElements(rawAt(text, ['aggregations', 'values', 'buckets']) ?? '[]');
  const number = (path: readonly string[]): number => Number(rawAt(text, path) ?? '0');
  return {
    documents: number(['hits', 'total', 'value']),
    others: number(['aggregations', 'values', 'sum_other_doc_count']),
    values: buckets.map((bucket) => {
      const members = new Map(rawMembers(bucket).map(({ key, from, to }) => [key, bucket.slice(from, to)]));
      const value: ExactJson = parseExact(members.get('key_as_string') ?? members.get('key') ?? 'null');
      return { text: plainText(value), count: Number(members.get('doc_count')) };
    }),
  };
}

/** The most frequent values of a field among loaded documents, for fields that the cluster does not count. */
export function sampleTopValues(hits: readonly Hit[], field: string): TopValues {
  const counts = new Map<string, number>();
  for (const hit of hits) {
    const texts = hitValues(readHit(hit), field).map((value) => plainText(value).slice(0, VALUE_CHARS_MAX));
    for (const text of new Set(texts)) counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const sorted = [...counts].toSorted(([, a], [, b]) => b - a);
  return {
    documents: hits.length,
    others: sorted.slice(VALUES_MAX).reduce((sum, [, count]) => sum + count, 0),
    values: sorted.slice(0, VALUES_MAX).map(([text, count]) => ({ text, count })),
  };
}
