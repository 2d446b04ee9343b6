import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isApiError } from '@shoal/errors';
import { parseMetric } from './rank-metrics.js';

/** Ratings of the hits of a search; the last two have none. */
const HITS = [0, 1, 3, null, null].map((rating) => ({ rating }));
const RATINGS = [0, 1, 3];

/** Metrics, their scores and details, as OpenSearch 2.19 answers them. */
const SCORES: readonly (readonly [metric: object, score: number, details: object])[] = [
  [{ precision: {} }, 0.4, { relevant_docs_retrieved: 2, docs_retrieved: 5 }],
  [{ precision: { ignore_unlabeled: true } }, 2 / 3, { relevant_docs_retrieved: 2, docs_retrieved: 3 }],
  [{ precision: { relevant_rating_threshold: 2 } }, 0.2, { relevant_docs_retrieved: 1, docs_retrieved: 5 }],
  [{ recall: { relevant_rating_threshold: 1 } }, 1, { relevant_docs_retrieved: 2, relevant_docs: 2 }],
  [{ mean_reciprocal_rank: {} }, 0.5, { first_relevant: 2 }],
  [{ mean_reciprocal_rank: { relevant_rating_threshold: 4 } }, 0, { first_relevant: -1 }],
  [{ dcg: { k: 5 } }, 4.130929753571458, { dcg: 4.130929753571458, unrated_docs: 2 }],
  [
    { dcg: { normalize: true, unknown_doc_rating: 1 } },
    0.6484739446806459,
    { dcg: 4.948459118879392, ideal_dcg: 7.630929753571458, normalized_dcg: 0.6484739446806459, unrated_docs: 2 },
  ],
  [{ expected_reciprocal_rank: { maximum_relevance: 3, k: 4 } }, 0.3177083333333333, { unrated_docs: 2 }],
  [{ expected_reciprocal_rank: { maximum_relevance: 2 } }, 0.5625, { unrated_docs: 2 }],
];

for (const [metric, score, details] of SCORES)
  test(`${JSON.stringify(metric)} scores ${score}`, () => {
    const found = parseMetric(metric).evaluate(HITS, RATINGS);
    assert.ok(Math.abs(found.score - score) < 1e-12, `${found.score}`);
    assert.deepEqual(found.details, details);
  });

test('no hits and no ratings score 0', () => {
  for (const metric of [{ precision: {} }, { recall: {} }, { mean_reciprocal_rank: {} }, { dcg: { normalize: true } }])
    assert.equal(parseMetric(metric).evaluate([], []).score, 0);
});

/** Metrics that are refused, and the innermost cause. */
const REFUSED: readonly (readonly [metric: object, cause: string])[] = [
  [{ nope: {} }, 'unknown field [nope]'],
  [{ precision: { x: 1 } }, '[precision] unknown field [x]'],
  [{ precision: { k: 0 } }, 'Window size k must be positive.'],
  [
    { precision: { relevant_rating_threshold: -1 } },
    'Relevant rating threshold for precision must be positive integer.',
  ],
  [{ dcg: { normalize: 1 } }, '[dcg] failed to parse field [normalize]'],
  [{ dcg: { k: 1.5 } }, '[dcg] failed to parse field [k]'],
  [{ expected_reciprocal_rank: {} }, 'Required [maximum_relevance]'],
];

for (const [metric, cause] of REFUSED)
  test(`${JSON.stringify(metric)} is refused`, () =>
    assert.throws(
      () => parseMetric(metric),
      (error) => {
        assert.ok(isApiError(error));
        assert.equal(error.reason, '[rank_eval] failed to parse field [metric]');
        let inner = error;
        while (inner.causedBy) inner = inner.causedBy;
        assert.equal(inner.reason, cause);
        return true;
      },
    ));
