import type { NormalizationSettings } from '@shoal/mapping';
import { formatFloat } from '@shoal/values';
import type { Explanation } from '../../plans/explanation-tree.js';
import { normalizationOf } from './normalization.js';
import { boostLine, line, type SimilarityModel, type TermStatistics } from './similarity-model.js';

type Lambda = 'df' | 'ttf';
type Distribution = 'll' | 'spl';

const DOCUMENTS = 'N, total number of documents with field';
const view = new DataView(new ArrayBuffer(8));

/** Returns the neighbouring double of a positive number, above it or below it. */
function neighbour(value: number, step: 1n | -1n): number {
  view.setFloat64(0, value);
  view.setBigInt64(0, view.getBigInt64(0) + step);
  return view.getFloat64(0);
}

/** Next float after 1: the power law cannot take a lambda of 1. */
const AFTER_ONE = Math.fround(1 + 2 ** -23);

/** Mean frequency of a term: a float, never 1. */
function lambdaOf(lambda: Lambda, { docFreq, totalTermFreq, docCount }: TermStatistics): number {
  const value = Math.fround(((lambda === 'df' ? docFreq : totalTermFreq) + 1) / (docCount + 1));
  return value === 1 ? AFTER_ONE : value;
}

function explainLambda(lambda: Lambda, statistics: TermStatistics): Explanation {
  const value = lambdaOf(lambda, statistics);
  return lambda === 'df'
    ? line(value, 'LambdaDF, computed as (n + 1) / (N + 1) from:', [
        line(statistics.docFreq, 'n, number of documents containing term'),
        line(statistics.docCount, DOCUMENTS),
      ])
    : line(value, 'LambdaTTF, computed as (F + 1) / (N + 1) from:', [
        line(statistics.totalTermFreq, 'F, total number of occurrences of term across all documents'),
        line(statistics.docCount, DOCUMENTS),
      ]);
}

const logLogistic = (tfn: number, lambda: number): number => -Math.log(lambda / (tfn + lambda));

/** Smoothed power law, kept from infinite and negative results where rounding would lead to them. */
function powerLaw(tfn: number, lambda: number): number {
  let exponent = 1 - 1 / (tfn + 1);
  if (exponent === 1) exponent = neighbour(1, -1n);
  let power = lambda ** exponent;
  if (power === lambda) power = neighbour(lambda, lambda < 1 ? 1n : -1n);
  return Math.max(0, -Math.log((power - lambda) / (1 - lambda)));
}

/**
 * Information-based models: S. Clinchant, E. Gaussier, "Information-based models for ad hoc IR", SIGIR 2010 (Lucene's
 * IBSimilarity).
 */
export function informationBased(name: Distribution, lambda: Lambda, settings: NormalizationSettings): SimilarityModel {
  const distribution = name === 'll' ? logLogistic : powerLaw;
  const normalization = normalizationOf(settings);
  const score: SimilarityModel['score'] = (statistics, freq, length) =>
    statistics.boost * distribution(normalization.tfn(statistics, freq, length), lambdaOf(lambda, statistics));
  return {
    score,
    explain(statistics, freq, length) {
      const tfn = normalization.explain(statistics, freq, length);
      return line(
        score(statistics, freq, length),
        `score(IBSimilarity, freq=${formatFloat(freq)}), computed as boost * distribution.score(stats, ` +
          'normalization.tfn(stats, freq, docLen), lambda.lambda(stats)) from:',
        [
          ...boostLine(statistics.boost, 'boost, query boost'),
          tfn,
          explainLambda(lambda, statistics),
          line(
            distribution(tfn.value, lambdaOf(lambda, statistics)),
            name === 'll' ? 'DistributionLL' : 'DistributionSPL',
          ),
        ],
      );
    },
  };
}
