import type { SimilaritySettings } from '@shoal/mapping';
import { byte4ToInt } from '@shoal/segments';
import { similarityModel } from './similarities/catalogue.js';
import type { SimilarityModel, TermStatistics } from './similarities/similarity-model.js';

/** Similarity of a field: BM25 with k1 and b, `boolean` (every match scores its boost), or another formula. */
export interface SimilarityParameters {
  readonly k1: number;
  readonly b: number;
  readonly type: 'BM25' | 'boolean' | 'model';
  /** The formula of type `model`, otherwise null. */
  readonly model: SimilarityModel | null;
}

/** Similarity of fields whose mapping names none. */
export const DEFAULT_SIMILARITY: SimilarityParameters = { k1: 1.2, b: 0.75, type: 'BM25', model: null };

/** Returns the similarity of a field from the settings that its mapping names. */
export function similarityParameters(settings: SimilaritySettings): SimilarityParameters {
  if (settings.type === 'BM25') return { k1: settings.k1, b: settings.b, type: 'BM25', model: null };
  const model = similarityModel(settings);
  return { ...DEFAULT_SIMILARITY, type: model === null ? 'boolean' : 'model', model };
}

/** Statistics of a field for scoring: counts over a shard (deleted documents included) and values derived from them. */
export interface FieldScoring {
  /** Number of documents with the field. */
  readonly docCount: number;
  readonly sumTotalTermFreq: number;
  /** Sum of the frequencies of all its terms in documents; 0 where only BM25 scores. */
  readonly sumDocFreq: number;
  readonly averageLength: number;
  /** Inverse length normalisation by norm byte. */
  readonly cache: Float32Array;
  readonly parameters: SimilarityParameters;
}

/** Counts of one term over a shard, or over all shards. */
export interface TermCounts {
  readonly docFreq: number;
  readonly totalTermFreq: number;
}

/**
 * Scorer of one term, synonym or phrase: float arithmetic as in Lucene 9's BM25Similarity, with the factor k1 + 1 that
 * Elasticsearch keeps. With another similarity, `model` scores.
 */
export interface TermScorer {
  /** boost · idf, or the boost for `boolean` similarity. */
  readonly weight: number;
  /** The query's boost times (k1 + 1). */
  readonly boost: number;
  readonly idf: number;
  readonly field: FieldScoring;
  readonly isConstant: boolean;
  readonly model: ModelScorer | FeatureScorer | null;
}

/** A formula bound to the statistics of the terms that are scored as one; the scores of the terms add up. */
export interface ModelScorer {
  readonly model: SimilarityModel;
  readonly terms: readonly TermStatistics[];
}

/** Scores postings whose frequencies stand for the values of a feature; there are no statistics. */
export interface FeatureScorer {
  readonly terms: null;
  /** Never falls with a higher frequency. */
  score(freq: number): number;
  /** The factor, if the score is the product of a factor and the value. */
  readonly linearWeight: number | null;
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
  sumDocFreq = 0,
): FieldScoring {
  const averageLength = f(sumTotalTermFreq / docCount);
  return {
    docCount,
    sumTotalTermFreq,
    sumDocFreq,
    averageLength,
    cache: normCache(f(parameters.k1), f(parameters.b), averageLength),
    parameters,
  };
}

/**
 * Returns a scorer for a boost and an inverse document frequency (for phrases: the sum over the terms). `terms` returns
 * the counts of the terms; called only if the similarity is not BM25.
 */
export function termScorer(
  boost: number,
  idf: number,
  field: FieldScoring,
  terms: () => readonly TermCounts[],
): TermScorer {
  const { type, k1, model } = field.parameters;
  const scaled = type === 'BM25' ? f(boost * f(1 + f(k1))) : f(boost);
  return {
    weight: type === 'BM25' ? f(scaled * idf) : scaled,
    boost: scaled,
    idf,
    field,
    isConstant: type === 'boolean',
    model: model === null ? null : { model, terms: terms().map((counts) => termStatistics(scaled, counts, field)) },
  };
}

function termStatistics(boost: number, counts: TermCounts, field: FieldScoring): TermStatistics {
  return {
    boost,
    ...counts,
    docCount: field.docCount,
    fieldTokens: field.sumTotalTermFreq,
    sumDocFreq: field.sumDocFreq,
    averageLength: field.sumTotalTermFreq / field.docCount,
  };
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
  const { model } = scorer;
  if (model !== null) return model.terms === null ? model.score(freq) : modelScore(model, freq, LENGTHS[norm]!);
  const tf = f(1 + f(f(freq) * scorer.field.cache[norm]!));
  return f(scorer.weight - f(scorer.weight / tf));
}

function modelScore({ model, terms }: ModelScorer, freq: number, length: number): number {
  let sum = 0;
  if (model.sumText !== undefined) {
    for (const statistics of terms) sum += f(model.score(statistics, f(freq), length));
    return f(sum);
  }
  for (const statistics of terms) sum = f(sum + f(model.score(statistics, f(freq), length)));
  return sum;
}
