import { type Explanation, explanation } from '../../plans/explanation-tree.js';

/**
 * A formula that scores a term by its frequency in a document, the length of the field, and statistics: one of Lucene's
 * subclasses of SimilarityBase. All arithmetic is in doubles; the score is rounded to a float at the end. Scores never
 * fall with a higher frequency, and never rise with a greater length, so that impacts bound them.
 */
export interface SimilarityModel {
  /** `freq` may be fractional (sloppy phrases, spans); `length` is that of the norm. At least 0. */
  score(statistics: TermStatistics, freq: number, length: number): number;
  /** Explains the same score; `freqText` says what `freq` counts. */
  explain(statistics: TermStatistics, freq: number, length: number, freqText: string): Explanation;
  /** Title of the explanation of a sum over several terms, which is then added up in doubles; absent: floats. */
  readonly sumText?: string;
}

/** Counts of a term and of its field over a shard, or over all shards; deleted documents are counted. */
export interface TermStatistics {
  readonly boost: number;
  /** N: documents with the field. */
  readonly docCount: number;
  /** n: documents with the term. */
  readonly docFreq: number;
  /** F: occurrences of the term. */
  readonly totalTermFreq: number;
  /** T: tokens of the field. */
  readonly fieldTokens: number;
  /** Sum of n over all terms of the field. */
  readonly sumDocFreq: number;
  /** T / N, a double. */
  readonly averageLength: number;
}

/** Logarithm to base 2 as Lucene computes it: a quotient of natural ones, not `Math.log2`. */
export const log2 = (value: number): number => Math.log(value) / LOG_2;
const LOG_2 = Math.log(2);

/** Returns one line of an explanation; its value is shown as a float. */
export const line = (value: number, text: string, details: readonly Explanation[] = []): Explanation =>
  explanation(Math.fround(value), text, details);

/** Returns the line of a boost, unless it is 1. */
export const boostLine = (boost: number, text: string): Explanation[] => (boost === 1 ? [] : [line(boost, text)]);
