import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aggregationFixture } from '../testing/aggregation-fixture.js';
import { isSampled } from './random-sampler.js';

const index = await aggregationFixture({
  mapping: { n: { type: 'long' }, k: { type: 'keyword' } },
  documents: Array.from({ length: 20 }, (_, n) => ({ n, k: n % 2 === 0 ? 'even' : 'odd' })),
});

test('random_sampler with the probability 1 takes all documents', () =>
  index.answers([
    [
      { random_sampler: { probability: 1, seed: 3.7 }, aggs: { s: { sum: { field: 'n' } } } },
      { seed: 3, probability: 1, doc_count: 20, s: { value: 190 } },
    ],
  ]));

test('random_sampler of nothing counts zero', () =>
  index.answers(
    [
      [
        { random_sampler: { probability: 0.2, seed: 9 }, aggs: { s: { sum: { field: 'n' } } } },
        { seed: 9, probability: 0.2, doc_count: 0, s: { value: 0 } },
      ],
    ],
    { query: { term: { k: 'none' } } },
  ));

test('about the wanted share of documents is sampled, others for other seeds', () => {
  const sampleOf = (seed: number, probability: number): number[] =>
    Array.from({ length: 100_000 }, (_, doc) => doc).filter((doc) => isSampled(doc, seed, probability));
  for (const [seed, probability] of [
    [1, 0.5],
    [-77, 0.1],
    [123_456_789, 0.01],
  ] as const) {
    const expected = 100_000 * probability;
    const found = sampleOf(seed, probability).length;
    assert.ok(Math.abs(found - expected) < 5 * Math.sqrt(expected), `${found} of ${expected}`);
  }
  const both = new Set(sampleOf(1, 0.1));
  assert.ok(sampleOf(2 ** 30 + 5, 0.1).filter((doc) => both.has(doc)).length < 1300);
});

test('random_sampler refuses places, probabilities and what cannot be estimated, in the words of 8.12', () => {
  const own = '[random_sampler] aggregation [x]';
  const below = (aggs: Record<string, unknown>) => ({ random_sampler: { probability: 0.3, seed: 1 }, aggs });
  const field = (name: string) => `x_content_parse_exception: [random_sampler] failed to parse field [${name}]`;
  return index.refuses([
    [{ random_sampler: {} }, `illegal_argument_exception: ${own} must have sub-aggregations`],
    [
      { random_sampler: {}, aggs: { m: { missing: { field: 'n' } } } },
      `illegal_argument_exception: ${own} must have [probability] set`,
    ],
    [
      below({ m: { missing: { field: 'n' } } }),
      `illegal_argument_exception: ${own} does not support sampling [missing] aggregation [m]`,
    ],
    [
      below({ t: { terms: { field: 'k', min_doc_count: 5 } } }),
      'status_exception: aggregation [t] is within a sampling context; min_doc_count, provided [5], and ' +
        'min_shard_doc_count, provided [0], cannot be greater than 1',
    ],
    [
      { random_sampler: { probability: 0.7 } },
      `${field('probability')} <- illegal_argument_exception: ` +
        '[probability] must be between 0.0 and 0.5 or exactly 1.0, was [0.7]',
    ],
    [
      { random_sampler: { probability: 0 } },
      `${field('probability')} <- illegal_argument_exception: [probability] must be greater than 0.0, was [0.0]`,
    ],
    [
      { terms: { field: 'k' }, aggs: { r: below({ s: { sum: { field: 'n' } } }) } },
      'illegal_argument_exception: [random_sampler] aggregation [r] cannot have a parent aggregation',
    ],
  ]);
});
