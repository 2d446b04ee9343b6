/** Explanation of a score, in Elasticsearch's words. */
export interface Explanation {
  readonly match: boolean;
  readonly value: number;
  readonly description: string;
  readonly details: readonly Explanation[];
  /** Whether the value is a whole number or a double; others are printed as floats. */
  readonly isExact?: true;
  /** Digits of a whole number beyond 2^53, of which `value` is the nearest double. */
  readonly whole?: bigint;
}

/** Returns the explanation of a match. */
export const explanation = (value: number, description: string, details: readonly Explanation[] = []): Explanation => ({
  match: true,
  value,
  description,
  details,
});

/** How Lucene explains a single prefix of a phrase that no term has. */
export const NO_PREFIX = 'No terms supplied for org.elasticsearch.common.lucene.search.MultiPhrasePrefixQuery';

/** Returns the explanation of a document that does not match. */
export const noMatch = (description: string, details: readonly Explanation[] = []): Explanation => ({
  match: false,
  value: 0,
  description,
  details,
});

/** Returns a line whose value is no float: a count, a date, a coordinate. */
export const exactLine = (value: number | bigint, description: string): Explanation => ({
  ...explanation(Number(value), description),
  isExact: true,
  ...(typeof value === 'bigint' ? { whole: value } : {}),
});
