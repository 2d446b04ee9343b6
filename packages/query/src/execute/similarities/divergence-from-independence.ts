import { formatFloat } from '@shoal/values';
import { line, log2, type SimilarityModel, type TermStatistics } from './similarity-model.js';

type Measure = 'standardized' | 'saturated' | 'chisquared';

/** Distance of a frequency from the one expected, in chi-square's terms. */
const MEASURES: Readonly<Record<Measure, (freq: number, expected: number) => number>> = {
  standardized: (freq, expected) => (freq - expected) / Math.sqrt(expected),
  saturated: (freq, expected) => (freq - expected) / expected,
  chisquared: (freq, expected) => ((freq - expected) * (freq - expected)) / expected,
};

/**
 * Divergence from independence: İ. Kocabaş, B. T. Dinçer, B. Karaoğlan, "A nonparametric term weighting method for
 * information retrieval based on measuring the divergence from independence", Information Retrieval 17, 2014 (Lucene's
 * DFISimilarity). A frequency that is at most the expected one scores 0.
 */
export function divergenceFromIndependence(name: Measure): SimilarityModel {
  const measure = MEASURES[name];
  const expectedOf = ({ totalTermFreq, fieldTokens }: TermStatistics, length: number): number =>
    ((totalTermFreq + 1) * length) / (fieldTokens + 1);
  const score: SimilarityModel['score'] = (statistics, freq, length) => {
    const expected = expectedOf(statistics, length);
    return freq <= expected ? 0 : statistics.boost * log2(measure(freq, expected) + 1);
  };
  return {
    score,
    explain(statistics, freq, length, freqText) {
      const expected = expectedOf(statistics, length);
      const text = `score(DFISimilarity, freq=${formatFloat(freq)}), `;
      if (freq <= expected) return line(0, `${text}equals to 0`);
      return line(score(statistics, freq, length), `${text}computed as boost * log2(measure + 1) from:`, [
        line(statistics.boost, 'boost, query boost'),
        line(measure(freq, expected), 'measure, computed as independence.score(freq, expected) from:', [
          line(freq, freqText),
          line(expected, 'expected, computed as (F + 1) * dl / (T + 1) from:', [
            line(statistics.totalTermFreq, 'F, total number of occurrences of term across all docs'),
            line(length, 'dl, length of field'),
            line(statistics.fieldTokens, 'T, total number of tokens in the field'),
          ]),
        ]),
      ]);
    },
  };
}
