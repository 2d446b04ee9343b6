import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countExchange, newPathStats, pathStatsJson } from './path-stats.js';

test('requests of a path are counted by powers of two, from the first class that has any to the last', () => {
  const [search, health, unused] = [newPathStats(), newPathStats(), newPathStats()];
  countExchange(search, 0, 200, 0.4);
  countExchange(search, 3, 900, 1.2);
  countExchange(search, 4, 200, 100_000);
  countExchange(health, 0, 0, 2);
  const json = pathStatsJson(
    new Map([
      ['/{index}/_search', search],
      ['/_cluster/health', health],
      ['/', unused],
    ]),
  );
  assert.deepEqual(Object.keys(json), ['/_cluster/health', '/{index}/_search']);
  const { requests, responses } = json['/{index}/_search'] as Record<string, Record<string, unknown>>;
  assert.deepEqual(requests, {
    count: 3,
    total_size_in_bytes: 7,
    size_histogram: [
      { lt_bytes: 1, count: 1 },
      { ge_bytes: 1, lt_bytes: 2, count: 0 },
      { ge_bytes: 2, lt_bytes: 4, count: 1 },
      { ge_bytes: 4, lt_bytes: 8, count: 1 },
    ],
  });
  assert.deepEqual(responses!['size_histogram'], [
    { ge_bytes: 128, lt_bytes: 256, count: 2 },
    { ge_bytes: 256, lt_bytes: 512, count: 0 },
    { ge_bytes: 512, lt_bytes: 1024, count: 1 },
  ]);
  const times = responses!['handling_time_histogram'] as object[];
  assert.deepEqual(
    [times[0], times[1], times.at(-1)],
    [
      { lt_millis: 1, count: 1 },
      { ge_millis: 1, lt_millis: 2, count: 1 },
      { ge_millis: 65_536, count: 1 },
    ],
  );
});
