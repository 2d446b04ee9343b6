import type { NormalizationSettings } from '@shoal/mapping';
import { formatFloat } from '@shoal/values';
import type { Explanation } from '../../plans/explanation-tree.js';
import { normalizationOf } from './normalization.js';
import { boostLine, line, log2, type SimilarityModel, type TermStatistics } from './similarity-model.js';

const TFN = 'tfn, normalized term frequency';
const DOCUMENTS = 'N, total number of documents with field';
const OCCURRENCES = 'F, total number of occurrences of term across all docs';

/** Information content of a normalised frequency, multiplied by the after effect so that it never falls. */
interface BasicModel {
  /** `effect` is the after effect times (1 + tfn). */
  score(statistics: TermStatistics, tfn: number, effect: number): number;
  readonly text: string;
  lines(statistics: TermStatistics): Explanation[];
}

/** A model A · tfn, written so that rounding keeps it from falling with tfn. */
function linear(weight: (statistics: TermStatistics) => number, text: string, lines: BasicModel['lines']): BasicModel {
  return { text, lines, score: (statistics, tfn, effect) => weight(statistics) * effect * (1 - 1 / (1 + tfn)) };
}

/** lambda of the model G: F / (N + F) with one occurrence more. */
const lambdaOf = ({ docCount, totalTermFreq }: TermStatistics): number =>
  (totalTermFreq + 1) / (docCount + totalTermFreq + 1);

/** Documents in which the occurrences of a term would be expected. */
const expectedDocs = ({ docCount, totalTermFreq }: TermStatistics): number =>
  docCount * (1 - ((docCount - 1) / docCount) ** totalTermFreq);

const BASIC_MODELS: Readonly<Record<'g' | 'if' | 'in' | 'ine', BasicModel>> = {
  g: {
    text: 'BasicModelG, computed as log2(lambda + 1) + tfn * log2((1 + lambda) / lambda) from:',
    score(statistics, tfn, effect) {
      const lambda = lambdaOf(statistics);
      const a = log2(lambda + 1);
      const b = log2((1 + lambda) / lambda);
      return (b - (b - a) / (1 + tfn)) * effect;
    },
    lines: (statistics) => [
      line(lambdaOf(statistics), 'lambda, computed as F / (N + F) from:', [
        line(statistics.totalTermFreq + 1, `${OCCURRENCES} + 1`),
        line(statistics.docCount, DOCUMENTS),
      ]),
    ],
  },
  if: linear(
    ({ docCount, totalTermFreq }) => log2(1 + (docCount + 1) / (totalTermFreq + 0.5)),
    'BasicModelIF, computed as tfn * log2(1 + (N + 1) / (F + 0.5)) from:',
    ({ docCount, totalTermFreq }) => [
      line(docCount, DOCUMENTS),
      line(totalTermFreq, 'F, total number of occurrences of term across all documents'),
    ],
  ),
  in: linear(
    ({ docCount, docFreq }) => log2((docCount + 1) / (docFreq + 0.5)),
    'BasicModelIn, computed as tfn * log2((N + 1) / (n + 0.5)) from:',
    ({ docCount, docFreq }) => [line(docCount, DOCUMENTS), line(docFreq, 'n, number of documents containing term')],
  ),
  ine: linear(
    (statistics) => log2((statistics.docCount + 1) / (expectedDocs(statistics) + 0.5)),
    'BasicModelIne, computed as tfn * log2((N + 1) / (ne + 0.5)) from:',
    (statistics) => [
      line(expectedDocs(statistics), 'ne, computed as N * (1 - Math.pow((N - 1) / N, F)) from:', [
        line(statistics.totalTermFreq, OCCURRENCES),
        line(statistics.docCount, DOCUMENTS),
      ]),
    ],
  ),
};

/** Gain of information by one more occurrence, times (1 + tfn). */
interface AfterEffect {
  times1pTfn(statistics: TermStatistics): number;
  explain(statistics: TermStatistics, tfn: number): Explanation;
}

const AFTER_EFFECTS: Readonly<Record<'b' | 'l', AfterEffect>> = {
  b: {
    times1pTfn: ({ totalTermFreq, docFreq }) => (totalTermFreq + 2) / (docFreq + 1),
    explain: (statistics, tfn) =>
      line(
        AFTER_EFFECTS.b.times1pTfn(statistics) / (1 + tfn),
        'AfterEffectB, computed as (F + 1) / (n * (tfn + 1)) from:',
        [
          line(tfn, TFN),
          // The text of Lucene says + 1, the value is without.
          line(statistics.totalTermFreq, 'F, total number of occurrences of term across all documents + 1'),
          line(statistics.docFreq, 'n, number of documents containing term + 1'),
          line(tfn, TFN),
        ],
      ),
  },
  l: {
    times1pTfn: () => 1,
    explain: (_statistics, tfn) =>
      line(1 / (1 + tfn), 'AfterEffectL, computed as 1 / (tfn + 1) from:', [line(tfn, TFN)]),
  },
};

/**
 * Divergence from randomness: G. Amati, C. J. van Rijsbergen, "Probabilistic models of information retrieval based on
 * measuring the divergence from randomness", ACM TOIS 20, 2002; in the non-decreasing form of Lucene 9's
 * DFRSimilarity.
 */
export function divergenceFromRandomness(
  basicModel: 'g' | 'if' | 'in' | 'ine',
  afterEffect: 'b' | 'l',
  settings: NormalizationSettings,
): SimilarityModel {
  const model = BASIC_MODELS[basicModel];
  const effect = AFTER_EFFECTS[afterEffect];
  const normalization = normalizationOf(settings);
  const score: SimilarityModel['score'] = (statistics, freq, length) =>
    statistics.boost *
    model.score(statistics, normalization.tfn(statistics, freq, length), effect.times1pTfn(statistics));
  return {
    score,
    explain(statistics, freq, length) {
      const tfn = normalization.tfn(statistics, freq, length);
      const times = effect.times1pTfn(statistics);
      return line(
        score(statistics, freq, length),
        `score(DFRSimilarity, freq=${formatFloat(freq)}), computed as boost * basicModel.score(stats, tfn) * ` +
          'afterEffect.score(stats, tfn) from:',
        [
          ...boostLine(statistics.boost, 'boost, query boost'),
          normalization.explain(statistics, freq, length),
          line((model.score(statistics, tfn, times) * (1 + tfn)) / times, model.text, [
            line(tfn, TFN),
            ...model.lines(statistics),
          ]),
          effect.explain(statistics, tfn),
        ],
      );
    },
  };
}
