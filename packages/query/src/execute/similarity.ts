import { byte4ToInt } from '@shoal/segments';

/** BM25 parameters k1 and b of a field. Type `boolean` scores every match with its boost. */
export interface SimilarityParameters {
  readonly k1: number;
  readonly b: number;
  readonly type: 'BM25' | 'boolean';
}

/** Similarity of fields whose mapping names none. */
export const DEFAULT_SIMILARITY: SimilarityParameters = { k1: 1.2, b: 0.75, type: 'BM25' };

/** Statistics of a field for scoring: counts over a shard (deleted documents included) and values derived from them. */
export interface FieldScoring {
  /** Number of documents with the field. */
  readonly docCount: number;
  readonly sumTotalTermFreq: number;
  readonly averageLength: number;
  /** Inverse length normalisation by norm byte. */
  readonly cache: Float32Array;
  readonly parameters: SimilarityParameters;
}

/**
 * Scorer of one term, synonym or phrase: float arithmetic as in Lucene 9's BM25Similarity, with the factor k1 + 1 that
 * Elasticsearch keeps.
 */
export interface TermScorer {
  /** boost · idf, or the boost for `boolean` similarity. */
  readonly weight: number;
  /** The query's boost times (k1 + 1). */
  readonly boost: number;
  readonly idf: number;
  readonly field: FieldScoring;
  readonly isConstant: boolean;
}

const f = Math.fround;

/** Returns log(1 + (N - n + 0.5) / (n + 0.5)) as a float, with N = `docCount` and n = `docFreq`. */
export function inverseDocumentFrequency(docFreq: number, docCount: number): number {
  return f(Math.log(1 + (docCount - docFreq + 0.5) / (docFreq + 0.5)));
}

/** Returns the field length that a norm byte stands for. */
export function lengthOfNorm(norm: number): number {
  return LENGTHS[norm]!;
}

/** Returns the scoring statistics of a field from its counts. */
export function fieldScoring(
  docCount: number,
  sumTotalTermFreq: number,
  parameters: SimilarityParameters,
): FieldScoring {
  const averageLength = f(sumTotalTermFreq / docCount);
  return {
    docCount,
    sumTotalTermFreq,
    averageLength,
    cache: normCache(f(parameters.k1), f(parameters.b), averageLength),
    parameters,
  };
}

/** Returns a scorer for a boost and an inverse document frequency (for phrases: the sum over the terms). */
export function termScorer(boost: number, idf: number, field: FieldScoring): TermScorer {
  const isConstant = field.parameters.type === 'boolean';
  const scaled = isConstant ? f(boost) : f(boost * f(1 + f(field.parameters.k1)));
  return { weight: isConstant ? scaled : f(scaled * idf), boost: scaled, idf, field, isConstant };
}

/** Field lengths by norm byte. */
const LENGTHS = Float32Array.from({ length: 256 }, (_, norm) => byte4ToInt(norm));

function normCache(k1: number, b: number, averageLength: number): Float32Array {
  const cache = new Float32Array(256);
  const base = f(1 - b);
  for (let i = 0; i < 256; i++) {
    const length = f(f(b * LENGTHS[i]!) / averageLength);
    cache[i] = f(1 / f(k1 * f(base + length)));
  }
  return cache;
}

/** Returns the score of a frequency (fractional for sloppy phrases) in a document with a norm byte. */
export function scoreOf(scorer: TermScorer, freq: number, norm: number): number {
  if (scorer.isConstant) return scorer.weight;
  const tf = f(1 + f(f(freq) * scorer.field.cache[norm]!));
  return f(scorer.weight - f(scorer.weight / tf));
}
