import type { NormalizationSettings } from '@shoal/mapping';
import type { Explanation } from '../../plans/explanation-tree.js';
import { line, log2, type TermStatistics } from './similarity-model.js';

/** Term frequency normalised by the length of the field (G. Amati, C. J. van Rijsbergen, ACM TOIS 20, 2002). */
export interface Normalization {
  /** Returns tfn, the normalised frequency. */
  tfn(statistics: TermStatistics, freq: number, length: number): number;
  explain(statistics: TermStatistics, freq: number, length: number): Explanation;
}

const f = Math.fround;
const FREQ = 'tf, number of occurrences of term in the document';
const AVERAGE = 'avgfl, average length of field across all documents';
const LENGTH = 'fl, field length of the document';

/** Returns the normalisation that settings name. */
export function normalizationOf({ name, parameter }: NormalizationSettings): Normalization {
  switch (name) {
    case 'no':
      return { tfn: (_statistics, freq) => freq, explain: () => line(1, 'no normalization') };
    case 'h1':
      return byAverage(
        'NormalizationH1, computed as tf * c * (avgfl / fl) from:',
        parameter,
        (freq, average, length) => freq * parameter * (average / length),
      );
    case 'h2':
      return byAverage(
        'NormalizationH2, computed as tf * log2(1 + c * avgfl / fl) from:',
        parameter,
        (freq, average, length) => freq * log2(1 + (parameter * average) / length),
      );
    case 'h3':
      return dirichletPrior(parameter);
    case 'z':
      return zipfian(parameter);
  }
}

function byAverage(
  text: string,
  c: number,
  formula: (freq: number, average: number, length: number) => number,
): Normalization {
  const tfn: Normalization['tfn'] = ({ averageLength }, freq, length) => formula(freq, averageLength, length);
  return {
    tfn,
    explain: (statistics, freq, length) =>
      line(tfn(statistics, freq, length), text, [
        line(freq, FREQ),
        line(c, 'c, hyper-parameter'),
        line(statistics.averageLength, AVERAGE),
        line(length, LENGTH),
      ]),
  };
}

function dirichletPrior(mu: number): Normalization {
  // The prior is computed in floats, the rest in doubles.
  const prior = ({ totalTermFreq, fieldTokens }: TermStatistics): number =>
    f(mu * f(f(totalTermFreq + 1) / f(fieldTokens + 1)));
  const tfn: Normalization['tfn'] = (statistics, freq, length) => ((freq + prior(statistics)) / (length + mu)) * mu;
  return {
    tfn,
    explain: (statistics, freq, length) =>
      line(
        tfn(statistics, freq, length),
        'NormalizationH3, computed as (tf + mu * ((F+1) / (T+1))) / (fl + mu) * mu from:',
        [
          line(freq, FREQ),
          line(mu, 'mu, smoothing parameter'),
          line(statistics.totalTermFreq, 'F,  total number of occurrences of term across all documents'),
          line(statistics.fieldTokens, 'T, total number of tokens of the field across all documents'),
          line(length, LENGTH),
        ],
      ),
  };
}

function zipfian(z: number): Normalization {
  const tfn: Normalization['tfn'] = ({ averageLength }, freq, length) => freq * (averageLength / length) ** z;
  return {
    tfn,
    explain: (statistics, freq, length) =>
      line(tfn(statistics, freq, length), 'NormalizationZ, computed as tf * Math.pow(avgfl / fl, z) from:', [
        line(freq, FREQ),
        line(statistics.averageLength, AVERAGE),
        line(length, LENGTH),
        line(z, 'z, relates to specificity of the language'),
      ]),
  };
}
