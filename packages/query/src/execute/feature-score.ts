import { featureOfFrequency } from '@shoal/values';
import type { FeatureFunction } from '../plan.js';
import { DEFAULT_SIMILARITY, type FeatureScorer, fieldScoring, type TermScorer } from './similarity.js';

const f = Math.fround;

/** The score of a feature's value. All arithmetic is of 32-bit floats, as in Lucene's FeatureField. */
export type FeatureScore = (value: number) => number;

/** Returns the score of a function; `pivot` is that of a saturation. */
export function featureScore(score: FeatureFunction, weight: number, pivot: number): FeatureScore {
  switch (score.kind) {
    case 'linear':
      return (value) => f(weight * value);
    case 'log':
      return (value) => f(weight * Math.log(f(score.scalingFactor + value)));
    case 'saturation':
      // Not value / (value + pivot), so that a score does not decrease with the value by rounding.
      return (value) => f(weight * f(1 - f(pivot / f(value + pivot))));
    default: {
      const powered = Math.pow(score.pivot, score.exponent);
      return (value) => f(weight * (1 - powered / (Math.pow(value, score.exponent) + powered)));
    }
  }
}

/** A field without lengths, whose statistics no function of features uses. */
const NO_STATISTICS = fieldScoring(1, 1, DEFAULT_SIMILARITY);

/** Returns the scorer of postings whose frequencies stand for the values of a feature. */
export function featureScorer(score: FeatureFunction, weight: number, pivot: number): TermScorer {
  const scoreOf = featureScore(score, weight, pivot);
  const feature: FeatureScorer = {
    terms: null,
    score: (freq) => scoreOf(featureOfFrequency(freq)),
    linearWeight: score.kind === 'linear' ? weight : null,
  };
  return { weight, boost: weight, idf: 1, field: NO_STATISTICS, isConstant: false, model: feature };
}
