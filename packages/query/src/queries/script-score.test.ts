import { test } from 'node:test';
import { searchFixture } from '../testing/search-fixture.js';

/** Scores and errors as those of Elasticsearch 8.12's module lang-painless. */
const index = await searchFixture({
  mapping: {
    t: { type: 'text' },
    k: { type: 'keyword' },
    n: { type: 'long' },
    x: { type: 'double' },
    d: { type: 'date' },
    b: { type: 'boolean' },
    p: { type: 'geo_point' },
  },
  documents: [
    { t: 'quick fox', k: ['b', 'a'], n: 1, x: 0.5, d: '2024-02-29T10:11:12.345Z', b: true, p: { lat: 60, lon: 11 } },
    { t: 'slow fox', k: 'c', n: [7, 2], x: 3, d: '2024-03-31T00:00:00Z', b: false },
    { t: 'fox', n: 9_007_199_254_740_992 },
  ],
});

test('scripts make scores, alone and among functions', () =>
  index.answers([
    [
      { script_score: { query: { match_all: {} }, script: "doc['n'].value * 2.5" } },
      { ids: ['3', '2', '1'], scores: [22518000000000000, 5, 2.5] },
    ],
    [
      { script_score: { query: { term: { t: 'quick' } }, script: 'explanation == null ? 4 : 5' } },
      { ids: ['1'], scores: [4] },
    ],
    [
      {
        script_score: {
          query: { term: { t: 'quick' } },
          script: { source: 'saturation(_score * 0 + 3, params.k) + sigmoid(3, 2, 1)', params: { k: 2 } },
          min_score: 1,
        },
      },
      { ids: ['1'], scores: [1.2] },
    ],
    [
      {
        function_score: {
          query: { match_all: {} },
          boost_mode: 'replace',
          functions: [
            { filter: { term: { k: 'c' } }, script_score: { script: "_score + doc['n'].value" } },
            { script_score: { script: '3' }, weight: 2 },
          ],
          score_mode: 'sum',
        },
      },
      { ids: ['2', '1', '3'], scores: [9, 6, 6] },
    ],
  ]));

test('scores that are none are refused', () =>
  index.refuses([
    [
      { script_score: { query: { match_all: {} }, script: '-1' } },
      'illegal_argument_exception: script_score script returned an invalid score [-1.0] for doc [0]. Must be a ' +
        'non-negative score!',
    ],
    [
      { function_score: { script_score: { script: '-5' } } },
      'illegal_argument_exception: script score function must not produce negative scores, but got: [-5.0]',
    ],
    [
      { script_score: { query: { match_all: {} }, script: "explanation.set('x'); return 1" } },
      'script_exception: runtime error <- null_pointer_exception: Cannot invoke a method because its object is null',
    ],
    [{ script_score: { query: { match_all: {} } } }, 'illegal_argument_exception: Required [script]'],
  ]));

test('origins of decays of dates are in UTC, milliseconds or date math', () => {
  const decay = (origin: string): object => ({
    script_score: {
      query: { term: { k: 'b' } },
      script: `decayDateLinear('${origin}', '2d', '0', 0.5, doc['d'].value)`,
    },
  });
  index.answers([
    [decay('2024-02-28T10:11:12.345'), { ids: ['1'], scores: [0.75] }],
    [decay('2024-02-28T10:11:12.345+02:00'), { ids: ['1'], scores: [0.729167] }],
    [decay('1709115072345'), { ids: ['1'], scores: [0.75] }],
    [decay('2024-02-29T10:11:12.345||-1d'), { ids: ['1'], scores: [0.75] }],
    [decay('2024'), { ids: ['1'], scores: [0] }],
  ]);
  const failed = 'failed to parse date field [nope] with format [strict_date_optional_time||epoch_millis]';
  index.refuses([
    [
      decay('nope'),
      `script_exception: runtime error <- parse_exception: ${failed}: [${failed}] <- ` +
        `illegal_argument_exception: ${failed} <- date_time_parse_exception: Failed to parse with all enclosed parsers`,
    ],
    [decay('now'), 'script_exception: runtime error <- parse_exception: could not read the current timestamp'],
  ]);
});
