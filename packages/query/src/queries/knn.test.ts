import { test } from 'node:test';
import { searchFixture } from '../testing/search-fixture.js';

const index = await searchFixture({
  mapping: {
    v: { type: 'dense_vector', dims: 2, similarity: 'l2_norm' },
    c: { type: 'dense_vector', dims: 2 },
    b: { type: 'dense_vector', dims: 2, element_type: 'byte', similarity: 'dot_product' },
    unindexed: { type: 'dense_vector', dims: 2, index: false },
    later: { type: 'dense_vector' },
    k: { type: 'keyword' },
    p: { type: 'nested', properties: { v: { type: 'dense_vector', dims: 1, similarity: 'l2_norm' } } },
  },
  documents: [
    { v: [0, 0], c: [1, 0], b: [1, 1], k: 'a', p: [{ v: [1] }, { v: [2] }] },
    { v: [0, 1], c: [0, 5], b: [2, 2], k: 'b', p: [{ v: [9] }, { v: [4] }] },
    { v: [0, 3], k: 'a', p: { v: [3] } },
    { v: [0, 7], c: [-3, 0], k: 'b' },
    { k: 'a' },
    { v: [0, 2], k: 'a' },
  ],
  deleted: ['6'],
});
const near = (options: object): object => ({
  knn: { field: 'v', query_vector: [0, 0], num_candidates: 2, ...options },
});

/** How a search of an index with nested objects is shown. */
const ofRoots = (text: string): string => `+${text} #FieldExistsQuery [field=_primary_term]`;

test('knn finds the nearest documents of the shard, without deleted ones', () =>
  index.answers([
    [near({}), { ids: ['1', '2'], scores: [1, 0.5], plan: ofRoots('ProfilingKnnFloatVectorQuery:v[0.0,...][2]') }],
    [near({ num_candidates: 10 }), { ids: ['1', '2', '3', '4'], scores: [1, 0.5, 0.1, 0.02] }],
    [
      near({ boost: 3 }),
      { ids: ['1', '2'], scores: [3, 1.5], plan: ofRoots('(ProfilingKnnFloatVectorQuery:v[0.0,...][2])^3.0') },
    ],
    [near({ field: 'c', query_vector: [2, 0], num_candidates: 9 }), { ids: ['1', '2', '4'], scores: [1, 0.5, 0] }],
    [
      near({ field: 'b', query_vector: [100, 100] }),
      { ids: ['2', '1'], scores: [0.506104, 0.503052], plan: ofRoots('ProfilingKnnByteVectorQuery:b[100,...][2]') },
    ],
  ]));

test('the documents to choose from are those of the filter, and those that are similar enough match', () =>
  index.answers([
    [near({ filter: { term: { k: 'b' } } }), { ids: ['2', '4'], scores: [0.5, 0.02] }],
    [near({ filter: [{ term: { k: 'b' } }, { ids: { values: ['4'] } }] }), { ids: ['4'], scores: [0.02] }],
    [near({ filter: { term: { k: 'none' } } }), { ids: [], scores: [] }],
    [
      near({ similarity: 0.5 }),
      {
        ids: ['1'],
        scores: [1],
        plan: ofRoots(
          'VectorSimilarityQuery[similarity=0.5, docScore=0.8, innerKnnQuery=' +
            'ProfilingKnnFloatVectorQuery:v[0.0,...][2]]',
        ),
      },
    ],
    [
      { bool: { should: [near({}), { term: { k: { value: 'b', boost: 0 } } }] } },
      { ids: ['1', '2', '4'], scores: [1, 0.5, 0] },
    ],
  ]));

test('of nested objects the best of each document matches', () =>
  index.answers([
    [
      { nested: { path: 'p', query: near({ field: 'p.v', query_vector: [2], num_candidates: 2 }) } },
      { ids: ['1', '3'], scores: [1, 0.5] },
    ],
    [
      {
        nested: {
          path: 'p',
          query: near({ field: 'p.v', query_vector: [2], filter: { term: { k: 'b' } } }),
          score_mode: 'max',
        },
      },
      { ids: ['2'], scores: [0.2] },
    ],
    [near({ field: 'p.v', query_vector: [2] }), { ids: [], scores: [] }],
    [near({ field: 'later', query_vector: [2] }), { ids: [], scores: [] }],
  ]));

const failed = 'query_shard_exception: failed to create query: ';
const cause = (reason: string): string => `${failed}${reason} <- illegal_argument_exception: ${reason}`;

test('knn refuses what 8.12 refuses', () =>
  index.refuses([
    [near({ field: 'x' }), cause('field [x] does not exist in the mapping')],
    [near({ field: 'k' }), cause('[knn] queries are only supported on [dense_vector] fields')],
    [
      near({ field: 'unindexed' }),
      cause('to perform knn search on field [unindexed], its mapping must have [index] set to [true]'),
    ],
    [near({ query_vector: [1] }), cause('the query vector has a different dimension [1] than the index vectors [2]')],
    [
      near({ field: 'c' }),
      cause(
        'The [cosine] similarity does not support vectors with zero magnitude. Preview of invalid vector: [0.0, 0.0]',
      ),
    ],
    [
      near({ field: 'b', query_vector: [1.5, 200] }),
      cause(
        'element_type [byte] vectors only support non-decimal values but found decimal value [1.5] at dim [0]; ' +
          'Preview of invalid vector: [1.5, 200.0]',
      ),
    ],
    [
      near({ query_vector: [1e39, 1] }),
      cause(
        'element_type [float] vectors do not support infinite values but found [Infinity] at dim [0]; ' +
          'Preview of invalid vector: [Infinity, 1.0]',
      ),
    ],
    ...[
      ['NaN', 'do not support NaN values but found [NaN]', 'NaN'],
      [1e39, 'do not support infinite values but found [Infinity]', 'Infinity'],
    ].map(([value, what, shown]): [object, string] => [
      near({ field: 'b', query_vector: [value, 1] }),
      cause(`element_type [byte] vectors ${what} at dim [0]; Preview of invalid vector: [${shown}, 1.0]`),
    ]),
    ...[near({ boost: 1e39 }), { match_all: { boost: 1e39 } }, { term: { k: { value: 'a', boost: 1e39 } } }].map(
      (query): [object, string] => [query, cause('boost must be a positive float, got Infinity')],
    ),
    [near({ num_candidates: 0 }), cause('k must be at least 1, got: 0')],
    [
      near({ num_candidates: 10_001 }),
      'x_content_parse_exception: Failed to build [knn] after last required field arrived <- ' +
        'illegal_argument_exception: [num_candidates] cannot exceed [10000]',
    ],
    [{ knn: {} }, 'illegal_argument_exception: Required [field, query_vector, num_candidates]'],
    [near({ k: 1 }), 'x_content_parse_exception: [knn] unknown field [k]'],
    [
      near({ query_vector: ['a'] }),
      'x_content_parse_exception: [knn] failed to parse field [query_vector] <- ' +
        'number_format_exception: For input string: "a"',
    ],
    [
      near({ query_vector: [[1]] }),
      'x_content_parse_exception: [knn] failed to parse field [query_vector] <- ' +
        'illegal_state_exception: expected value but got [START_ARRAY]',
    ],
    [
      near({ query_vector: true }),
      "x_content_parse_exception: [knn] query_vector doesn't support values of type: VALUE_BOOLEAN",
    ],
    [
      near({ query_vector: null }),
      "x_content_parse_exception: [knn] query_vector doesn't support values of type: VALUE_NULL",
    ],
  ]));

test('numbers that Java cannot read as asked are refused as by 8.12', () =>
  index.refuses([
    [near({ boost: 'NaN' }), cause('boost must be a positive float, got NaN')],
    [
      near({ query_vector: [1, true] }),
      'x_content_parse_exception: [knn] failed to parse field [query_vector] <- x_content_parse_exception: ' +
        'Current token (VALUE_TRUE) not numeric, can not use numeric value accessors <- json_parse_exception: ' +
        'Current token (VALUE_TRUE) not numeric, can not use numeric value accessors',
    ],
    [
      near({ num_candidates: 2 ** 31 }),
      'x_content_parse_exception: [knn] failed to parse field [num_candidates] <- x_content_parse_exception: ' +
        'Numeric value (2147483648) out of range of int (-2147483648 - 2147483647) <- input_coercion_exception: ' +
        'Numeric value (2147483648) out of range of int (-2147483648 - 2147483647)',
    ],
    [
      near({ num_candidates: '2147483648' }),
      'x_content_parse_exception: [knn] failed to parse field [num_candidates] <- ' +
        'illegal_argument_exception: Value [2147483648] is out of range for an integer',
    ],
  ]));
