import { test } from 'node:test';
import { searchFixture } from '../testing/search-fixture.js';

/** Answers, plan texts and errors are those of Elasticsearch 8.12.0. */
const index = await searchFixture({
  mapping: {
    n: { type: 'integer' },
    f: { type: 'double' },
    k: { type: 'keyword' },
    d: { type: 'date' },
    i: { type: 'ip' },
    r: { type: 'integer_range' },
    g: { type: 'geo_point' },
  },
  documents: [
    { n: 1, f: 0.5, k: 'apple', d: '2024-01-15T01:00:00Z', i: '10.0.0.1', r: { gte: 1, lte: 5 } },
    { n: [5, 9], f: 2.5, k: 'banana', d: '2024-01-20', i: '10.0.1.1', r: { gte: 4, lt: 8 } },
    { n: 7, k: 'cherry', d: '2023-12-31T23:59:59.999Z', i: '::1' },
    {},
  ],
});

test('range finds values between bounds, each document with the score 1', () =>
  index.answers([
    [
      { range: { n: { gte: 5, lt: 9 } } },
      { ids: ['2', '3'], scores: [1, 1], plan: 'IndexOrDocValuesQuery(indexQuery=n:[5 TO 8], dvQuery=n:[5 TO 8])' },
    ],
    [
      { range: { n: { gt: 5, boost: 3 } } },
      {
        ids: ['2', '3'],
        scores: [3, 3],
        plan: '(IndexOrDocValuesQuery(indexQuery=n:[6 TO 2147483647], dvQuery=n:[6 TO 2147483647]))^3.0',
      },
    ],
    [{ range: { k: { gte: 'b', lt: 'c' } } }, { ids: ['2'], scores: [1], plan: 'k:[b TO c}' }],
  ]));

test('range with its ends in the wrong order finds nothing and keeps them in its text', () =>
  index.answers([
    [
      { range: { n: { gt: 6, lt: -2 } } },
      { ids: [], scores: [], plan: 'IndexOrDocValuesQuery(indexQuery=n:[7 TO -3], dvQuery=n:[7 TO -3])' },
    ],
    [{ range: { k: { gt: 'c', lte: 'b' } } }, { ids: [], scores: [], plan: 'k:{c TO b]' }],
    [{ range: { k: { gt: 'c', lt: 'c' } } }, { ids: [], scores: [], plan: 'k:{c TO c}' }],
  ]));

test('range over dates is nothing only where the shard has no date between its ends, also in the wrong order', () =>
  index.answers([
    [
      { bool: { must: [{ range: { d: { gte: '2024-01-16', lte: '2024-01-01' } } }], filter: [{ ids: {} }] } },
      { ids: [], scores: [], plan: 'MatchNoDocsQuery("The "bool" query was rewritten to a "match_none" query.")' },
    ],
    [
      { range: { d: { gte: '2024-01-16T00:00:00Z', lte: '2024-01-01T00:00:00Z' } } },
      {
        ids: [],
        scores: [],
        plan:
          'IndexOrDocValuesQuery(indexQuery=d:[1705363200000 TO 1704067200999], ' +
          'dvQuery=d:[1705363200000 TO 1704067200999])',
      },
    ],
    [
      { bool: { must: [{ range: { d: { gte: '2025-01-16', lte: '2025-01-01' } } }] } },
      { ids: [], scores: [], plan: 'MatchNoDocsQuery("The "bool" query was rewritten to a "match_none" query.")' },
    ],
  ]));

test('range takes bounds of each kind of value', () =>
  index.finds([
    [{ range: { i: { gte: '10.0.0.0', lte: '10.0.0.255' } } }, ['1']],
    [{ range: { f: { gt: 0.5 } } }, ['2']],
    [{ range: { n: { gt: 4.5, lt: '7.5' } } }, ['2', '3']],
    [{ range: { n: { lte: null, gte: 7 } } }, ['2', '3']],
    [{ range: { k: { gt: 'apple' } } }, ['2', '3']],
    [{ range: { n: {} } }, ['1', '2', '3']],
    [{ range: { nowhere: { gte: 1 } } }, []],
    [{ range: { n: { from: 1, to: 5, include_upper: false } } }, ['1']],
  ]));

test('range rounds dates by the bound and shifts them by the time zone', () =>
  index.finds([
    [{ range: { d: { gte: '2024-01-15', lte: '2024-01-15' } } }, ['1']],
    [{ range: { d: { gt: '2024-01-15||/d' } } }, ['2']],
    [{ range: { d: { gte: '2024-01-01', time_zone: '+01:00' } } }, ['1', '2', '3']],
    [{ range: { d: { lt: '15/01/2024', format: 'dd/MM/yyyy' } } }, ['3']],
  ]));

test('range counts from the time of the request', () =>
  index.finds([[{ range: { d: { gte: 'now-1d', lt: 'now' } } }, ['1']]]));

test('range relates to fields of ranges as relation says', () =>
  index.finds([
    [{ range: { r: { gte: 5, lte: 6 } } }, ['1', '2']],
    [{ range: { r: { gte: 0, lte: 6, relation: 'within' } } }, ['1']],
    [{ range: { r: { gte: 5, lte: 5, relation: 'contains' } } }, ['1', '2']],
  ]));

test('range refuses bounds that the field does not take', () =>
  index.refuses([
    [
      { range: { n: { gte: 'x' } } },
      'query_shard_exception: failed to create query: For input string: "x" <- ' +
        'number_format_exception: For input string: "x"',
    ],
    [{ range: { n: { gte: 1, step: 2 } } }, 'parsing_exception: [range] query does not support [step]'],
    [{ range: { n: { gte: 1, relation: 'near' } } }, 'illegal_argument_exception: near is not a valid relation'],
    [{ range: { n: 5 } }, 'parsing_exception: [range] query does not support [n]'],
    [{ range: {} }, 'illegal_argument_exception: field name is null or empty'],
    [
      { range: { n: { gte: 1 }, f: { gte: 1 } } },
      "parsing_exception: [range] query doesn't support multiple fields, found [n] and [f]",
    ],
  ]));

test('a number among the bounds of dates makes all of them milliseconds', () => {
  const failed = 'failed to parse date field [2024-01-01] with format [epoch_millis]';
  index.refuses([
    [
      { range: { d: { gte: '2024-01-01', lt: 1706745600001 } } },
      `parse_exception: ${failed}: [${failed}] <- illegal_argument_exception: ${failed} <- ` +
        'date_time_parse_exception: Failed to parse with all enclosed parsers',
    ],
  ]);
});
