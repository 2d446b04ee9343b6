import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  chartBody,
  countBody,
  firstRange,
  firstRangeBody,
  linesBody,
  nextLines,
  readChart,
  sortClause,
  wholeQuery,
} from './search-body.js';
import type { Field } from './fields.js';

const field = (name: string, type: string): Field => ({
  name,
  type,
  isSearchable: true,
  isAggregatable: true,
  isVariant: false,
});
const fields = [field('when', 'date'), field('exact', 'date_nanos'), field('level', 'keyword')];
const context = { fields, timeZone: 'UTC' };

test('text, filters and time are one query', () => {
  const state = { text: 'level: a', language: 'kql' as const, filters: [{ field: 'n', op: 'exists' as const }] };
  assert.deepEqual(wholeQuery(state, context, { field: 'when', span: { from: 0, to: 1 } }), {
    bool: {
      must: [{ match: { level: 'a' } }],
      filter: [
        { exists: { field: 'n' } },
        {
          range: {
            when: {
              gte: '1970-01-01T00:00:00.000Z',
              lte: '1970-01-01T00:00:00.001Z',
              format: 'strict_date_optional_time',
            },
          },
        },
      ],
    },
  });
  assert.deepEqual(wholeQuery({ text: ' ', language: 'kql', filters: [] }, context, null), { bool: { filter: [] } });
  assert.deepEqual(wholeQuery({ text: 'a:b', language: 'lucene', filters: [] }, context, null), {
    bool: { must: [{ query_string: { query: 'a:b', analyze_wildcard: true, time_zone: 'UTC' } }], filter: [] },
  });
});

test('the first range is all time for little data, else the shortest that has any', () => {
  const body = firstRangeBody('when', 0) as { aggs: { presets: { filters: { filters: object } } } };
  assert.equal(Object.keys(body.aggs.presets.filters.filters).length, 4);
  const answer = (value: number, counts: Record<string, number>): object => ({
    hits: { total: { value } },
    aggregations: {
      presets: {
        buckets: Object.fromEntries(Object.entries(counts).map(([name, doc_count]) => [name, { doc_count }])),
      },
    },
  });
  assert.equal(firstRange(answer(1_000_000, {})), 'all');
  assert.deepEqual(firstRange(answer(1_000_001, { 'Last 15 minutes': 0, 'Last 24 hours': 3 })), {
    from: 'now-24h',
    to: 'now',
  });
  assert.equal(firstRange(answer(1_000_001, {})), 'all');
});

test('lines follow each other by the text of their sort values', () => {
  const request = { query: { match_all: {} }, sort: ['_doc'], fields: [] };
  assert.equal(
    linesBody(request, { pit: 'x', size: 2, after: '[9007199254740993]' }),
    '{"size":2,"query":{"match_all":{}},"sort":["_doc"],"track_total_hits":false,' +
      '"pit":{"id":"x","keep_alive":"5m"},"search_after":[9007199254740993]}',
  );
  assert.deepEqual(sortClause(null, null, fields, true), ['_score']);
  assert.deepEqual(sortClause(null, null, fields, false), ['_doc']);
  assert.deepEqual(sortClause(null, 'when', fields, true), [{ when: { order: 'desc', unmapped_type: 'date' } }]);
  assert.deepEqual(sortClause({ field: 'exact', isDown: false }, 'when', fields, true), [
    {
      exact: {
        order: 'asc',
        unmapped_type: 'date_nanos',
        format: 'strict_date_optional_time_nanos',
        numeric_type: 'date_nanos',
      },
    },
  ]);
});

test('large documents are loaded in smaller steps, and no more than a page holds', () => {
  assert.equal(nextLines(100, 50_000), 500);
  assert.equal(nextLines(9_900, 5_000_000), 100);
  assert.equal(nextLines(10_000, 1), 0);
  assert.equal(nextLines(100, 100 * 200_000), 41);
  assert.equal(nextLines(100, 2 ** 27), 0);
});

test('charts have buckets for the whole span, and answers without any are none', () => {
  assert.deepEqual(countBody({}, null), { size: 0, track_total_hits: true, query: {} });
  const { aggs } = chartBody({}, 'when', { from: 0, to: 60_000 }, 'UTC', null) as { aggs: object };
  assert.deepEqual(aggs, {
    time: {
      date_histogram: {
        field: 'when',
        fixed_interval: '1s',
        time_zone: 'UTC',
        min_doc_count: 0,
        extended_bounds: { min: 0, max: 60_000 },
      },
    },
  });
  const broken = chartBody({}, 'when', { from: 0, to: 60_000 }, 'UTC', 'level') as { aggs: { series: object } };
  assert.deepEqual(broken.aggs.series, { terms: { field: 'level', size: 4 }, aggs });
  assert.deepEqual(readChart({ hits: { total: { value: 3 } }, aggregations: { from: { value: null } } }), {
    total: 3,
    ends: null,
    buckets: [],
  });
});
