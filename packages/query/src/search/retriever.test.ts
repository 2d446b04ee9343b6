import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorText } from '../testing/memory-index.js';
import { withRetriever } from './retriever.js';

const QUERY = { match: { t: 'a' } };
const FILTER = { term: { k: 'b' } };
const KNN = { field: 'v', query_vector: [1, 0], k: 2, num_candidates: 5 };

test('a retriever is the query, the nearest vectors or the ranks that it stands for', () => {
  const cases: readonly (readonly [Record<string, unknown>, Record<string, unknown>])[] = [
    [{ standard: { query: QUERY } }, { query: QUERY }],
    [{ standard: {} }, {}],
    [{ standard: { query: QUERY, filter: FILTER } }, { query: { bool: { must: QUERY, filter: [FILTER] } } }],
    [
      { standard: { filter: [FILTER, QUERY], sort: ['k'], search_after: ['b'], min_score: 1 } },
      { query: { bool: { filter: [FILTER, QUERY] } }, sort: ['k'], search_after: ['b'], min_score: 1 },
    ],
    [{ knn: KNN }, { knn: KNN }],
    [
      { rrf: { retrievers: [{ standard: { query: QUERY } }, { knn: KNN }] } },
      { sub_searches: [{ query: QUERY }], knn: [KNN], rank: { rrf: { window_size: 10 } } },
    ],
    [
      {
        rrf: {
          retrievers: [{ standard: { query: QUERY, filter: [QUERY] } }, { knn: KNN }, { standard: {} }],
          filter: FILTER,
          rank_constant: 1,
          rank_window_size: 50,
        },
      },
      {
        sub_searches: [
          { query: { bool: { must: QUERY, filter: [FILTER, QUERY] } } },
          { query: { bool: { filter: [FILTER] } } },
        ],
        knn: [{ ...KNN, filter: [FILTER] }],
        rank: { rrf: { window_size: 50, rank_constant: 1 } },
      },
    ],
  ];
  for (const [retriever, expected] of cases)
    assert.deepEqual(withRetriever({ retriever, _source: false }), { _source: false, ...expected });
});

test('ranks count the hits of a page and of those before it, unless told otherwise', () => {
  const retriever = { rrf: { retrievers: [{ knn: KNN }, { knn: KNN }] } };
  const windowOf = (body: Record<string, unknown>, replaced = {}): unknown =>
    (withRetriever({ retriever, ...body }, replaced)['rank'] as { rrf: { window_size: unknown } }).rrf.window_size;
  assert.equal(windowOf({ size: 7 }), 7);
  assert.equal(windowOf({ size: 7, from: 14 }), 21);
  assert.equal(windowOf({ size: 7 }, { size: 30 }), 30);
  assert.equal(windowOf({ size: 'x' }), 10);
});

test('retrievers of other kinds, unknown options and sections beside them are refused by name', () => {
  const two = (one: unknown): unknown => ({ rrf: { retrievers: [one, { knn: KNN }] } });
  const cases: readonly (readonly [Record<string, unknown>, string])[] = [
    [{ retriever: { knn: KNN }, query: QUERY }, 'cannot specify [retriever] and [query]'],
    [{ retriever: { knn: KNN }, min_score: 1 }, 'cannot specify [retriever] and [min_score]'],
    [{ retriever: null }, 'malformed, expected [START_OBJECT] but found [VALUE_NULL]'],
    [{ retriever: {} }, 'empty clause found'],
    [{ retriever: { knn: KNN, rrf: {} } }, '[knn] malformed, expected [END_OBJECT] but found [rrf]'],
    [{ retriever: { text_similarity_reranker: {} } }, '[text_similarity_reranker] is not supported: use [standard]'],
    [{ retriever: { standard: [] } }, '[standard] Expected START_OBJECT but was: START_ARRAY'],
    [{ retriever: { standard: { querry: QUERY } } }, '[standard] unknown field [querry] did you mean [query]?'],
    [{ retriever: { rrf: {} } }, "[rrf] retrievers doesn't support values of type"],
    [{ retriever: { rrf: { retrievers: [], size: 1 } } }, '[rrf] unknown field [size]'],
    [{ retriever: two({ standard: { sort: ['k'] } }) }, '[sort] is not supported by a [standard] retriever'],
    [{ retriever: two({ rrf: { retrievers: [] } }) }, '[rrf] is not supported among the retrievers of [rrf]'],
    [{ retriever: two(1) }, 'expected [START_OBJECT] but found [VALUE_NUMBER]'],
  ];
  for (const [body, reason] of cases) {
    let refused = 'accepted';
    try {
      withRetriever(body);
    } catch (error) {
      refused = errorText(error);
    }
    assert.ok(refused.includes(reason), `${JSON.stringify(body)}: ${refused}`);
  }
});
