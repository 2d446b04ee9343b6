import { test } from 'node:test';
import { searchFixture } from '../testing/search-fixture.js';

/** Answers, plan texts and errors are those of Elasticsearch 8.12.0. */
const index = await searchFixture({
  mapping: {
    k: { type: 'keyword' },
    t: { type: 'text' },
    n: { type: 'long' },
    b: { type: 'boolean' },
    d: { type: 'date' },
    i: { type: 'ip' },
  },
  documents: [
    { k: ['red', 'Blue'], t: 'red car', n: 1, b: true, d: '2024-01-01', i: '10.0.0.1' },
    { k: 'red', t: 'red red bus', n: 2, b: false, d: '2024-01-02' },
    { k: 'green', t: 'Blue', n: [2, 3] },
    { b: [] },
  ],
});

test('term scores a value of a keyword or a word of a text by BM25', () =>
  index.answers([
    [{ term: { k: 'red' } }, { ids: ['1', '2'], scores: [0.523548, 0.523548], plan: 'k:red' }],
    [{ term: { t: 'red' } }, { ids: ['2', '1'], scores: [0.56658, 0.470004], plan: 't:red' }],
    [{ term: { k: { value: 'green', boost: 2 } } }, { ids: ['3'], scores: [2.18514], plan: '(k:green)^2.0' }],
  ]));

const missing = (type: string, gap = '') =>
  `MatchNoDocsQuery("The "${type}" query ${gap}is against a field that does not exist")`;

test('queries of a field that is not there say so', () =>
  index.answers([
    [{ term: { z: 'a' } }, { ids: [], scores: [], plan: missing('term') }],
    [{ terms: { z: ['a'] } }, { ids: [], scores: [], plan: missing('terms') }],
    [{ prefix: { z: 'a' } }, { ids: [], scores: [], plan: missing('prefix') }],
    [{ wildcard: { z: 'a' } }, { ids: [], scores: [], plan: missing('wildcard', ' ') }],
    [
      { fuzzy: { z: 'a' } },
      { ids: [], scores: [], plan: 'MatchNoDocsQuery("The "fuzzy" query was rewritten to a "match_none" query.")' },
    ],
    [{ intervals: { z: { match: { query: 'a' } } } }, { ids: [], scores: [], plan: 'MatchNoDocsQuery("")' }],
    [{ query_string: { query: '_exists_:z' } }, { ids: [], scores: [], plan: 'MatchNoDocsQuery("unmapped field:z")' }],
  ]));

test('term scores values of other types 1', () =>
  index.answers([
    [{ term: { n: 2 } }, { ids: ['2', '3'], scores: [1, 1], plan: 'n:[2 TO 2]' }],
    [{ term: { i: '10.0.0.1' } }, { ids: ['1'], scores: [1], plan: 'i:[10.0.0.1 TO 10.0.0.1]' }],
  ]));

test('term scores values of booleans by how rare they are', () =>
  index.answers([
    [{ term: { b: true } }, { ids: ['1'], scores: [0.693147] }],
    [{ term: { b: false } }, { ids: ['2'], scores: [0.693147] }],
  ]));

test('term looks for the value as it is given', () =>
  index.finds([
    [{ term: { t: 'Red' } }, []],
    [{ term: { k: 'blue' } }, []],
    [{ term: { k: { value: 'BLUE', case_insensitive: true } } }, ['1']],
    [{ term: { n: '2' } }, ['2', '3']],
    [{ term: { n: 2.5 } }, []],
    [{ term: { d: '2024-01-02' } }, ['2']],
    [{ term: { i: '10.0.0.0/24' } }, ['1']],
    [{ term: { nowhere: 1 } }, []],
    [{ term: { _id: '3' } }, ['3']],
    [{ term: { _index: 'fixture' } }, ['1', '2', '3', '4']],
    [{ term: { _index: 'other' } }, []],
  ]));

test('term refuses values that the field does not take', () =>
  index.refuses([
    [
      { term: { n: 'two' } },
      'query_shard_exception: failed to create query: For input string: "two" <- ' +
        'number_format_exception: For input string: "two"',
    ],
    [
      { term: { b: 'yes' } },
      "query_shard_exception: failed to create query: Can't parse boolean value [yes], expected " +
        "[true] or [false] <- illegal_argument_exception: Can't parse boolean value [yes], expected " +
        '[true] or [false]',
    ],
    [
      { term: { i: 'here' } },
      "query_shard_exception: failed to create query: 'here' is not an IP string literal. <- " +
        "illegal_argument_exception: 'here' is not an IP string literal.",
    ],
    [{ term: { k: ['a'] } }, 'parsing_exception: [term] query does not support array of values'],
    [
      { term: { k: { value: ['a'] } } },
      'parsing_exception: [term] query does not support arrays for value - use a bool query with multiple term ' +
        'clauses in the should section or use a Terms query if scoring is not required',
    ],
    [{ term: { k: { value: null } } }, 'illegal_argument_exception: value cannot be null'],
    [{ term: {} }, 'illegal_argument_exception: field name is null or empty'],
    [
      { term: { k: 'a', t: 'b' } },
      "parsing_exception: [term] query doesn't support multiple fields, found [k] and [t]",
    ],
    [{ term: { k: { value: 'a', slop: 1 } } }, 'parsing_exception: [term] query does not support [slop]'],
  ]));

test('a boolean with several values a document is scored by the number of its values', async () => {
  const booleans = await searchFixture({
    mapping: { b: { type: 'boolean' } },
    documents: [{ b: [true, false, true] }, { b: false }, { b: false }, {}],
  });
  booleans.answers([
    [{ term: { b: true } }, { ids: ['1'], scores: [1.09257] }],
    [{ term: { b: false } }, { ids: ['1', '2', '3'], scores: [0.148744, 0.148744, 0.148744] }],
  ]);
  booleans.refuses([
    [
      { term: { b: '' } },
      "query_shard_exception: failed to create query: Can't parse boolean value [], expected [true] or [false] <- " +
        "illegal_argument_exception: Can't parse boolean value [], expected [true] or [false]",
    ],
  ]);
});

test('a key of a flattened field is scored by the counts of all keys', async () => {
  const keys = await searchFixture({
    mapping: { f: { type: 'flattened' } },
    documents: [{ f: { x: 'abc', y: 3 } }, { f: { x: 'b' } }, { f: { y: 7 } }],
  });
  keys.answers([[{ term: { 'f.x': 'abc' } }, { ids: ['1'], scores: [1.09257] }]]);
});
