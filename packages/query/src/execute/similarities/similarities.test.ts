import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NormalizationSettings, SimilaritySettings } from '@shoal/mapping';
import type { Explanation } from '../../plans/explanation-tree.js';
import { searchFixture, type SearchResult } from '../../testing/search-fixture.js';
import { similarityModel } from './catalogue.js';

type Dfr = Extract<SimilaritySettings, { type: 'DFR' }>;
type Ib = Extract<SimilaritySettings, { type: 'IB' }>;
type Scores = Omit<SearchResult, 'plan'>;

const dfr = (
  basicModel: Dfr['basicModel'],
  afterEffect: Dfr['afterEffect'],
  name: NormalizationSettings['name'],
  parameter: number,
): Dfr => ({ type: 'DFR', basicModel, afterEffect, normalization: { name, parameter } });

const ib = (
  distribution: Ib['distribution'],
  lambda: Ib['lambda'],
  name: NormalizationSettings['name'],
  parameter: number,
): Ib => ({ type: 'IB', distribution, lambda, normalization: { name, parameter } });

const DOCUMENTS = [
  'quick brown fox',
  'the quick quick quick lazy dog the brown the',
  'brown',
  'a b c d e f g h i j k l m n o p q r s t fox fox',
  'the the the the',
  'lazy dog dog',
];

/** Scores of Elasticsearch 8.12.0: term `quick`, term `the` with boost 2.5, phrase `brown fox`. */
const TABLE: readonly (readonly [string, SimilaritySettings, term: Scores, boosted: Scores, phrase: Scores])[] = [
  [
    'lmd5',
    { type: 'LMDirichlet', mu: 5 },
    { ids: ['2', '1'], scores: [0.788457, 0.530628] },
    { ids: ['5', '2'], scores: [2.6998, 1.0285] },
    { ids: ['1'], scores: [1.3548] },
  ],
  [
    'jm7',
    { type: 'LMJelinekMercer', lambda: Math.fround(0.7) },
    { ids: ['1', '2'], scores: [0.801361, 0.801361] },
    { ids: ['5', '2'], scores: [2.98751, 1.42442] },
    { ids: ['1'], scores: [1.86095] },
  ],
  [
    'dfis',
    { type: 'DFI', measure: 'standardized' },
    { ids: ['2', '1'], scores: [1.54081, 1.07211] },
    { ids: ['5', '2'], scores: [5.63811, 2.54376] },
    { ids: ['1'], scores: [2.48331] },
  ],
  [
    'dfit',
    { type: 'DFI', measure: 'saturated' },
    { ids: ['1', '2'], scores: [1.51937, 1.51937] },
    { ids: ['5', '2'], scores: [6.06566, 2.10326] },
    { ids: ['1'], scores: [3.6826] },
  ],
  [
    'dfic',
    { type: 'DFI', measure: 'chisquared' },
    { ids: ['2', '1'], scores: [2.21615, 1.14763] },
    { ids: ['5', '2'], scores: [9.82547, 2.58804] },
    { ids: ['1'], scores: [3.03445] },
  ],
  [
    'dfr_g_b_h2',
    dfr('g', 'b', 'h2', 1),
    { ids: ['2', '1'], scores: [2.70432, 2.52493] },
    { ids: ['5', '2'], scores: [10.0602, 9.21085] },
    { ids: ['1'], scores: [3.86273] },
  ],
  [
    'dfr_if_l_h2',
    dfr('if', 'l', 'h2', 1),
    { ids: ['2', '1'], scores: [0.9658, 0.859061] },
    { ids: ['5', '2'], scores: [2.02999, 1.69647] },
    { ids: ['1'], scores: [2.01174] },
  ],
  [
    'dfr_in_b_h2',
    dfr('in', 'b', 'h2', 1),
    { ids: ['2', '1'], scores: [2.11966, 1.8854] },
    { ids: ['5', '2'], scores: [9.5114, 7.94873] },
    { ids: ['1'], scores: [2.36446] },
  ],
  [
    'dfr_ine_l_h2',
    dfr('ine', 'l', 'h2', 1),
    { ids: ['2', '1'], scores: [0.682636, 0.607192] },
    { ids: ['5', '2'], scores: [1.14547, 0.957272] },
    { ids: ['1'], scores: [1.53466] },
  ],
  [
    'dfr_g_b_no',
    dfr('g', 'b', 'no', 0),
    { ids: ['2', '1'], scores: [2.78739, 2.21864] },
    { ids: ['5', '2'], scores: [9.7347, 9.43195] },
    { ids: ['1'], scores: [3.34364] },
  ],
  [
    'dfr_g_b_h1',
    dfr('g', 'b', 'h1', 1),
    { ids: ['1', '2'], scores: [2.67364, 2.67364] },
    { ids: ['5', '2'], scores: [10.1888, 9.12919] },
    { ids: ['1'], scores: [4.11476] },
  ],
  [
    'dfr_g_b_z',
    dfr('g', 'b', 'z', Math.fround(0.3)),
    { ids: ['2', '1'], scores: [2.75463, 2.36244] },
    { ids: ['5', '2'], scores: [9.88921, 9.34475] },
    { ids: ['1'], scores: [3.58734] },
  ],
  [
    'dfr_h1c',
    dfr('if', 'l', 'h1', 0.5),
    { ids: ['1', '2'], scores: [0.728881, 0.728881] },
    { ids: ['5', '2'], scores: [1.84934, 1.28031] },
    { ids: ['1'], scores: [1.70688] },
  ],
  [
    'dfr_h3c',
    dfr('if', 'l', 'h3', 10),
    { ids: ['2', '1'], scores: [0.929425, 0.845455] },
    { ids: ['5', '2'], scores: [1.91924, 1.70948] },
    { ids: ['1'], scores: [1.8942] },
  ],
  [
    'ib_ll_df_h2',
    ib('ll', 'df', 'h2', 1),
    { ids: ['2', '1'], scores: [1.91847, 1.61997] },
    { ids: ['5', '2'], scores: [6.70621, 4.79617] },
    { ids: ['1'], scores: [3.01613] },
  ],
  [
    'ib_ll_ttf_h2',
    ib('ll', 'ttf', 'h2', 1),
    { ids: ['2', '1'], scores: [1.50103, 1.23307] },
    { ids: ['5', '2'], scores: [4.524, 2.89137] },
    { ids: ['1'], scores: [2.79234] },
  ],
  [
    'ib_spl_df_h2',
    ib('spl', 'df', 'h2', 1),
    { ids: ['2', '1'], scores: [1.57952, 1.30146] },
    { ids: ['5', '2'], scores: [5.78311, 3.94879] },
    { ids: ['1'], scores: [2.49716] },
  ],
  [
    'ib_spl_ttf_h2',
    ib('spl', 'ttf', 'h2', 1),
    { ids: ['2', '1'], scores: [1.37433, 1.1177] },
    { ids: ['5', '2'], scores: [4.66545, 3.00753] },
    { ids: ['1'], scores: [2.3914] },
  ],
  [
    'ib_ll_df_z',
    ib('ll', 'df', 'z', Math.fround(0.3)),
    { ids: ['2', '1'], scores: [2.01379, 1.38845] },
    { ids: ['5', '2'], scores: [6.22048, 5.03447] },
    { ids: ['1'], scores: [2.5691] },
  ],
];

test('each similarity scores terms and phrases as 8.12', async () => {
  const settings = new Map(TABLE.map(([field, similarity]) => [field, similarity]));
  const index = await searchFixture({
    mapping: Object.fromEntries(TABLE.map(([field]) => [field, { type: 'text' }])),
    documents: DOCUMENTS.map((text) => Object.fromEntries(TABLE.map(([field]) => [field, text]))),
    settings: { similarity: (field) => settings.get(field) ?? null },
  });
  for (const [field, , term, boosted, phrase] of TABLE)
    index.answers([
      [{ term: { [field]: 'quick' } }, term],
      [{ term: { [field]: { value: 'the', boost: 2.5 } } }, boosted],
      [{ match_phrase: { [field]: 'brown fox' } }, phrase],
    ]);
});

/** Characters of each line that are compared. */
const TEXT_MAX = 100;

/** Explanations of 8.12.0 for `the` in the fifth document. */
const EXPLANATIONS: readonly (readonly [SimilaritySettings, readonly string[]])[] = [
  [
    { type: 'LMDirichlet', mu: 5 },
    [
      '2.6998 score(LMDirichletSimilarity, freq=4.0), computed as boost * (term weight + document norm) fro',
      '  2.5 query boost',
      '  5 mu',
      '  1.6677 term weight, computed as log(1 + freq /(mu * P)) from:',
      '    4 freq, number of occurrences of term in the document',
      '    0.18605 P, probability that the current term is generated by the collection',
      '  -0.58779 document norm, computed as log(mu / (dl + mu))',
      '  4 dl, length of field',
      '  0.18605 collection probability',
    ],
  ],
  [
    { type: 'LMJelinekMercer', lambda: Math.fround(0.7) },
    [
      '2.9875 score(LMJelinekMercerSimilarity, freq=4.0), computed as boost * log(1 + ((1 - lambda) * freq ',
      '  2.5 boost',
      '  0.7 lambda',
      '  0.18605 P, probability that the current term is generated by the collection',
      '  4 freq, number of occurrences of term in the document',
      '  4 dl, length of field',
      '  0.18605 collection probability',
    ],
  ],
  [
    { type: 'DFI', measure: 'standardized' },
    [
      '5.6381 score(DFISimilarity, freq=4.0), computed as boost * log2(measure + 1) from:',
      '  2.5 boost, query boost',
      '  3.7741 measure, computed as independence.score(freq, expected) from:',
      '    4 freq, occurrences of term within document',
      '    0.74419 expected, computed as (F + 1) * dl / (T + 1) from:',
      '      7 F, total number of occurrences of term across all docs',
      '      4 dl, length of field',
      '      42 T, total number of tokens in the field',
    ],
  ],
  [
    dfr('g', 'b', 'h2', 1),
    [
      '10.06 score(DFRSimilarity, freq=4.0), computed as boost * basicModel.score(stats, tfn) * afterEffect',
      '  2.5 boost, query boost',
      '  5.8377 NormalizationH2, computed as tf * log2(1 + c * avgfl / fl) from:',
      '    4 tf, number of occurrences of term in the document',
      '    1 c, hyper-parameter',
      '    7 avgfl, average length of field across all documents',
      '    4 fl, field length of the document',
      '  9.1718 BasicModelG, computed as log2(lambda + 1) + tfn * log2((1 + lambda) / lambda) from:',
      '    5.8377 tfn, normalized term frequency',
      '    0.57143 lambda, computed as F / (N + F) from:',
      '      8 F, total number of occurrences of term across all docs + 1',
      '      6 N, total number of documents with field',
      '  0.43874 AfterEffectB, computed as (F + 1) / (n * (tfn + 1)) from:',
      '    5.8377 tfn, normalized term frequency',
      '    7 F, total number of occurrences of term across all documents + 1',
      '    2 n, number of documents containing term + 1',
      '    5.8377 tfn, normalized term frequency',
    ],
  ],
  [
    dfr('if', 'l', 'h2', 1),
    [
      '2.03 score(DFRSimilarity, freq=4.0), computed as boost * basicModel.score(stats, tfn) * afterEffect.',
      '  2.5 boost, query boost',
      '  5.8377 NormalizationH2, computed as tf * log2(1 + c * avgfl / fl) from:',
      '    4 tf, number of occurrences of term in the document',
      '    1 c, hyper-parameter',
      '    7 avgfl, average length of field across all documents',
      '    4 fl, field length of the document',
      '  5.5522 BasicModelIF, computed as tfn * log2(1 + (N + 1) / (F + 0.5)) from:',
      '    5.8377 tfn, normalized term frequency',
      '    6 N, total number of documents with field',
      '    7 F, total number of occurrences of term across all documents',
      '  0.14625 AfterEffectL, computed as 1 / (tfn + 1) from:',
      '    5.8377 tfn, normalized term frequency',
    ],
  ],
  [
    dfr('in', 'b', 'h2', 1),
    [
      '9.5114 score(DFRSimilarity, freq=4.0), computed as boost * basicModel.score(stats, tfn) * afterEffec',
      '  2.5 boost, query boost',
      '  5.8377 NormalizationH2, computed as tf * log2(1 + c * avgfl / fl) from:',
      '    4 tf, number of occurrences of term in the document',
      '    1 c, hyper-parameter',
      '    7 avgfl, average length of field across all documents',
      '    4 fl, field length of the document',
      '  8.6715 BasicModelIn, computed as tfn * log2((N + 1) / (n + 0.5)) from:',
      '    5.8377 tfn, normalized term frequency',
      '    6 N, total number of documents with field',
      '    2 n, number of documents containing term',
      '  0.43874 AfterEffectB, computed as (F + 1) / (n * (tfn + 1)) from:',
      '    5.8377 tfn, normalized term frequency',
      '    7 F, total number of occurrences of term across all documents + 1',
      '    2 n, number of documents containing term + 1',
      '    5.8377 tfn, normalized term frequency',
    ],
  ],
  [
    dfr('ine', 'l', 'h2', 1),
    [
      '1.1455 score(DFRSimilarity, freq=4.0), computed as boost * basicModel.score(stats, tfn) * afterEffec',
      '  2.5 boost, query boost',
      '  5.8377 NormalizationH2, computed as tf * log2(1 + c * avgfl / fl) from:',
      '    4 tf, number of occurrences of term in the document',
      '    1 c, hyper-parameter',
      '    7 avgfl, average length of field across all documents',
      '    4 fl, field length of the document',
      '  3.133 BasicModelIne, computed as tfn * log2((N + 1) / (ne + 0.5)) from:',
      '    5.8377 tfn, normalized term frequency',
      '    4.3255 ne, computed as N * (1 - Math.pow((N - 1) / N, F)) from:',
      '      7 F, total number of occurrences of term across all docs',
      '      6 N, total number of documents with field',
      '  0.14625 AfterEffectL, computed as 1 / (tfn + 1) from:',
      '    5.8377 tfn, normalized term frequency',
    ],
  ],
  [
    dfr('g', 'b', 'no', 0),
    [
      '9.7347 score(DFRSimilarity, freq=4.0), computed as boost * basicModel.score(stats, tfn) * afterEffec',
      '  2.5 boost, query boost',
      '  1 no normalization',
      '  6.4898 BasicModelG, computed as log2(lambda + 1) + tfn * log2((1 + lambda) / lambda) from:',
      '    4 tfn, normalized term frequency',
      '    0.57143 lambda, computed as F / (N + F) from:',
      '      8 F, total number of occurrences of term across all docs + 1',
      '      6 N, total number of documents with field',
      '  0.6 AfterEffectB, computed as (F + 1) / (n * (tfn + 1)) from:',
      '    4 tfn, normalized term frequency',
      '    7 F, total number of occurrences of term across all documents + 1',
      '    2 n, number of documents containing term + 1',
      '    4 tfn, normalized term frequency',
    ],
  ],
  [
    dfr('g', 'b', 'h1', 1),
    [
      '10.189 score(DFRSimilarity, freq=4.0), computed as boost * basicModel.score(stats, tfn) * afterEffec',
      '  2.5 boost, query boost',
      '  7 NormalizationH1, computed as tf * c * (avgfl / fl) from:',
      '    4 tf, number of occurrences of term in the document',
      '    1 c, hyper-parameter',
      '    7 avgfl, average length of field across all documents',
      '    4 fl, field length of the document',
      '  10.868 BasicModelG, computed as log2(lambda + 1) + tfn * log2((1 + lambda) / lambda) from:',
      '    7 tfn, normalized term frequency',
      '    0.57143 lambda, computed as F / (N + F) from:',
      '      8 F, total number of occurrences of term across all docs + 1',
      '      6 N, total number of documents with field',
      '  0.375 AfterEffectB, computed as (F + 1) / (n * (tfn + 1)) from:',
      '    7 tfn, normalized term frequency',
      '    7 F, total number of occurrences of term across all documents + 1',
      '    2 n, number of documents containing term + 1',
      '    7 tfn, normalized term frequency',
    ],
  ],
  [
    dfr('if', 'l', 'h3', 10),
    [
      '1.9192 score(DFRSimilarity, freq=4.0), computed as boost * basicModel.score(stats, tfn) * afterEffec',
      '  2.5 boost, query boost',
      '  4.186 NormalizationH3, computed as (tf + mu * ((F+1) / (T+1))) / (fl + mu) * mu from:',
      '    4 tf, number of occurrences of term in the document',
      '    10 mu, smoothing parameter',
      '    7 F,  total number of occurrences of term across all documents',
      '    42 T, total number of tokens of the field across all documents',
      '    4 fl, field length of the document',
      '  3.9813 BasicModelIF, computed as tfn * log2(1 + (N + 1) / (F + 0.5)) from:',
      '    4.186 tfn, normalized term frequency',
      '    6 N, total number of documents with field',
      '    7 F, total number of occurrences of term across all documents',
      '  0.19283 AfterEffectL, computed as 1 / (tfn + 1) from:',
      '    4.186 tfn, normalized term frequency',
    ],
  ],
  [
    dfr('g', 'b', 'z', Math.fround(0.3)),
    [
      '9.8892 score(DFRSimilarity, freq=4.0), computed as boost * basicModel.score(stats, tfn) * afterEffec',
      '  2.5 boost, query boost',
      '  4.7312 NormalizationZ, computed as tf * Math.pow(avgfl / fl, z) from:',
      '    4 tf, number of occurrences of term in the document',
      '    7 avgfl, average length of field across all documents',
      '    4 fl, field length of the document',
      '    0.3 z, relates to specificity of the language',
      '  7.5569 BasicModelG, computed as log2(lambda + 1) + tfn * log2((1 + lambda) / lambda) from:',
      '    4.7312 tfn, normalized term frequency',
      '    0.57143 lambda, computed as F / (N + F) from:',
      '      8 F, total number of occurrences of term across all docs + 1',
      '      6 N, total number of documents with field',
      '  0.52345 AfterEffectB, computed as (F + 1) / (n * (tfn + 1)) from:',
      '    4.7312 tfn, normalized term frequency',
      '    7 F, total number of occurrences of term across all documents + 1',
      '    2 n, number of documents containing term + 1',
      '    4.7312 tfn, normalized term frequency',
    ],
  ],
  [
    ib('ll', 'df', 'h2', 1),
    [
      '6.7062 score(IBSimilarity, freq=4.0), computed as boost * distribution.score(stats, normalization.tf',
      '  2.5 boost, query boost',
      '  5.8377 NormalizationH2, computed as tf * log2(1 + c * avgfl / fl) from:',
      '    4 tf, number of occurrences of term in the document',
      '    1 c, hyper-parameter',
      '    7 avgfl, average length of field across all documents',
      '    4 fl, field length of the document',
      '  0.42857 LambdaDF, computed as (n + 1) / (N + 1) from:',
      '    2 n, number of documents containing term',
      '    6 N, total number of documents with field',
      '  2.6825 DistributionLL',
    ],
  ],
  [
    ib('spl', 'ttf', 'h2', 1),
    [
      '4.6655 score(IBSimilarity, freq=4.0), computed as boost * distribution.score(stats, normalization.tf',
      '  2.5 boost, query boost',
      '  5.8377 NormalizationH2, computed as tf * log2(1 + c * avgfl / fl) from:',
      '    4 tf, number of occurrences of term in the document',
      '    1 c, hyper-parameter',
      '    7 avgfl, average length of field across all documents',
      '    4 fl, field length of the document',
      '  1.1429 LambdaTTF, computed as (F + 1) / (N + 1) from:',
      '    7 F, total number of occurrences of term across all documents',
      '    6 N, total number of documents with field',
      '  1.8662 DistributionSPL',
    ],
  ],
];

const lines = ({ value, description, details }: Explanation, indent = ''): string[] => [
  `${indent}${Number(value.toPrecision(5))} ${description}`,
  ...details.flatMap((detail) => lines(detail, `${indent}  `)),
];

test('each similarity explains its score as 8.12', () => {
  const counts = {
    boost: 2.5,
    docCount: 6,
    docFreq: 2,
    totalTermFreq: 7,
    sumDocFreq: 0,
    fieldTokens: 42,
    averageLength: 7,
  };
  for (const [settings, expected] of EXPLANATIONS) {
    const model = similarityModel(settings)!;
    const explained = model.explain(counts, 4, 4, 'freq, occurrences of term within document');
    assert.deepEqual(
      lines(explained).map((line) => line.slice(0, TEXT_MAX)),
      expected,
    );
  }
});

test('scores never fall with the frequency, and never rise with the length', () => {
  const counts = {
    boost: 1,
    docCount: 1100,
    docFreq: 100,
    totalTermFreq: 130,
    sumDocFreq: 0,
    fieldTokens: 3000,
    averageLength: 2.7,
  };
  for (const [name, settings] of TABLE) {
    const model = similarityModel(settings)!;
    const score = (freq: number, length: number): number => Math.fround(model.score(counts, freq, length));
    for (let length = 1; length < 200; length += 7)
      for (let freq = 1; freq < 12; freq++) {
        assert.ok(score(freq + 1, length) >= score(freq, length), `${name} ${freq} ${length}`);
        assert.ok(score(freq, length + 7) <= score(freq, length), `${name} ${freq} ${length}`);
        assert.ok(score(freq, length) >= 0, name);
      }
  }
});
