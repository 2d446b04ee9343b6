import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shard } from '@shoal/protocol';
import type { Log, LogFields } from '@shoal/doors';
import { logSlowSearch, logSlowWrite, slowLogSettings } from './slow-log.js';

const optionsOf = (searchType: string): Uint8Array =>
  shard.encodeSearchOptions({ ...shard.decodeSearchOptions(new Uint8Array(0)), searchType });

const PLACE = { index: 'i', shard: 2 };
/** A search of three shards, as phases hand it to the slow log. */
const ASKED = {
  body: Buffer.from('{}'),
  options: optionsOf('query_then_fetch'),
  total: null,
  totalShards: 3,
};

function recorded(): { log: Log; lines: [string, string, LogFields][] } {
  const lines: [string, string, LogFields][] = [];
  return { lines, log: { write: (level, message, fields = {}) => void lines.push([level, message, fields]) } };
}

test('without a threshold there is nothing to measure', () => {
  assert.equal(
    slowLogSettings({ 'index.search.slowlog.threshold.query.warn': '-1', 'index.indexing.slowlog.source': 'true' }),
    null,
  );
});

test('a search is logged at the most severe level whose threshold it passed', () => {
  const settings = slowLogSettings({
    'index.search.slowlog.threshold.query.warn': '1s',
    'index.search.slowlog.threshold.query.trace': '0ms',
  })!;
  const { log, lines } = recorded();
  const body = Buffer.from('{"query":{}}');
  logSlowSearch(log, settings, PLACE, { phase: 'query', tookMs: 1200.4, ...ASKED, groups: ['g'], body });
  logSlowSearch(log, settings, PLACE, { phase: 'query', tookMs: 1000, ...ASKED, groups: [], body });
  logSlowSearch(log, settings, PLACE, { phase: 'fetch', tookMs: 5000, ...ASKED, groups: [], body });
  assert.deepEqual(
    lines.map(([level, , fields]) => [
      level,
      fields['elasticsearch.slowlog.level'],
      fields['elasticsearch.slowlog.took_millis'],
      fields['elasticsearch.slowlog.message'],
    ]),
    [
      ['warn', 'WARN', 1200, '[i][2]'],
      ['info', 'TRACE', 1000, '[i][2]'],
    ],
  );
  assert.equal(lines[0]![2]['elasticsearch.slowlog.source'], '{"query":{}}');
});

test('a slow search tells how many hits its shard counted, where that is known', () => {
  const settings = slowLogSettings({ 'index.search.slowlog.threshold.query.info': '0ms' })!;
  const { log, lines } = recorded();
  for (const total of [{ value: 12, isLowerBound: false }, { value: 10_000, isLowerBound: true }, null])
    logSlowSearch(log, settings, PLACE, { phase: 'query', tookMs: 1, groups: [], ...ASKED, total });
  assert.deepEqual(
    lines.map(([, , fields]) => fields['elasticsearch.slowlog.total_hits']),
    ['12 hits', '10000+ hits', undefined],
  );
});

test('a slow search tells how it ran and over how many shards, unless an older node asks', () => {
  const settings = slowLogSettings({ 'index.search.slowlog.threshold.query.info': '0ms' })!;
  const { log, lines } = recorded();
  for (const [searchType, totalShards] of [
    ['query_then_fetch', 3],
    ['dfs_query_then_fetch', undefined],
  ] as const) {
    logSlowSearch(log, settings, PLACE, {
      phase: 'query',
      tookMs: 1,
      groups: [],
      ...ASKED,
      options: optionsOf(searchType),
      totalShards,
    });
  }
  assert.deepEqual(
    lines.map(([, , fields]) => [
      fields['elasticsearch.slowlog.search_type'],
      fields['elasticsearch.slowlog.total_shards'],
    ]),
    [
      ['QUERY_THEN_FETCH', 3],
      ['DFS_QUERY_THEN_FETCH', undefined],
    ],
  );
});

test('a slow write shows as much of its document as the index asks', () => {
  const shown = (extra: Record<string, string>): unknown => {
    const { log, lines } = recorded();
    logSlowWrite(log, slowLogSettings({ 'index.indexing.slowlog.threshold.index.info': '0ms', ...extra })!, PLACE, {
      id: '1',
      routing: null,
      tookMs: 3,
      source: Buffer.from('{\n "a": 1 }'),
    });
    return lines[0]![2]['elasticsearch.slowlog.source'];
  };
  assert.equal(shown({}), '{"a":1}');
  assert.equal(shown({ 'index.indexing.slowlog.source': '3' }), '{"a');
  assert.equal(shown({ 'index.indexing.slowlog.source': 'false' }), undefined);
  assert.equal(
    shown({ 'index.indexing.slowlog.reformat': 'false', 'index.indexing.slowlog.source': 'true' }),
    '{\n "a": 1 }',
  );
});
