import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alignedEnd, narrows, onlyGroups, queryOfGroups, queryUntil } from './changed-groups.js';
import { parseTransform, type TransformConfig } from './transform-config.js';

const config = (groups: object, more: object = {}): TransformConfig =>
  parseTransform('t', {
    source: { index: 'a' },
    dest: { index: 'b' },
    pivot: { group_by: groups, aggregations: { n: { value_count: { field: 'k' } } } },
    sync: { time: { field: 'at' } },
    ...more,
  });

const DAYS = { day: { date_histogram: { field: 'at', fixed_interval: '1d' } } };
const DAY_MS = 86_400_000;

test('a checkpoint covers what arrived before its end, whatever comes later', () => {
  assert.deepEqual(queryUntil(config(DAYS), { fromMs: 1, toMs: 2 }), {
    bool: { filter: [{ match_all: {} }, { range: { at: { lt: 2, format: 'epoch_millis' } } }] },
  });
});

test('groups that changed are found again by their terms, those without a value too', () => {
  const given = config({ k: { terms: { field: 'k', missing_bucket: true } }, ...DAYS });
  const answer = {
    aggregations: { _transform: { buckets: [{ key: { k: 'x', day: 0 } }, { key: { k: null, day: 0 } }] } },
  };
  const made = given.function.kind === 'pivot' ? given.function.groups : [];
  const query = queryOfGroups(given, made, answer, { fromMs: 1, toMs: 2 }) as { bool: { filter: object[] } };
  assert.deepEqual(query.bool.filter[1], {
    bool: {
      should: [{ terms: { k: ['x'] } }, { bool: { must_not: [{ exists: { field: 'k' } }] } }],
      minimum_should_match: 1,
    },
  });
});

const groupsIn = ({ function: made }: TransformConfig) => (made.kind === 'pivot' ? made.groups : []);
const answerOf = (...keys: object[]) => ({
  aggregations: { _transform: { buckets: keys.map((key) => ({ key })), after_key: { k: 'z' } } },
});

test('groups that changed are found again by their spans of time and of numbers', () => {
  const zone = { time_zone: 'Europe/Berlin' };
  const given = config({
    month: { date_histogram: { field: 'at', calendar_interval: 'month', ...zone } },
    size: { histogram: { field: 'n', interval: 5 } },
  });
  const [december, february, march] = ['2023-12-01', '2024-02-01', '2024-03-01'].map((day) =>
    Date.parse(`${day}T00:00:00+01:00`),
  );
  const answer = answerOf({ month: december, size: 0 }, { month: february, size: 15 });
  const query = queryOfGroups(given, groupsIn(given), answer, { fromMs: 1, toMs: 2 }) as { bool: { filter: object[] } };
  assert.deepEqual(query.bool.filter.slice(1), [
    { range: { at: { gte: december, lt: march, format: 'epoch_millis' } } },
    { range: { n: { gte: -5, lte: 25 } } },
  ]);
});

test('scripts, tiles and formatted times do not tell which groups changed', () => {
  const groups = {
    s: { terms: { script: 'doc.k.value' } },
    t: { geotile_grid: { field: 'p' } },
    f: { date_histogram: { field: 'at', fixed_interval: '1d', format: 'yyyy' } },
    k: { terms: { field: 'k' } },
  };
  assert.deepEqual(groupsIn(config(groups)).map(narrows), [false, false, false, true]);
});

test('buckets of groups that did not change are left out, and the next page stays', () => {
  const groups = groupsIn(config({ k: { terms: { field: 'k' } }, ...DAYS }));
  const changed = answerOf({ k: 'a', day: 0 }, { k: 'b', day: 1 });
  const found = answerOf({ k: 'a', day: 0 }, { k: 'a', day: 1 }, { k: 'c', day: 0 });
  assert.deepEqual(onlyGroups(found, groups, changed), answerOf({ k: 'a', day: 0 }));
  assert.deepEqual(onlyGroups(answerOf({ k: 'c', day: 0 }), groups, changed), answerOf());
});

test('a checkpoint ends where a group by time ends, unless the transform says otherwise', () => {
  assert.equal(alignedEnd(config(DAYS), 3 * DAY_MS + 5), 3 * DAY_MS);
  assert.equal(alignedEnd(config(DAYS, { settings: { align_checkpoints: false } }), 3 * DAY_MS + 5), 3 * DAY_MS + 5);
  assert.equal(alignedEnd(config({ k: { terms: { field: 'k' } } }), 5), 5);
});

test('a checkpoint ends with a month or a day of the time zone and the offset of the group', () => {
  const ends = (options: object): string =>
    new Date(
      alignedEnd(config({ t: { date_histogram: { field: 'at', ...options } } }), Date.parse('2024-07-15T12:00:00Z')),
    ).toISOString();
  assert.equal(ends({ calendar_interval: '1M', time_zone: 'Europe/Berlin' }), '2024-06-30T22:00:00.000Z');
  assert.equal(ends({ calendar_interval: 'quarter' }), '2024-07-01T00:00:00.000Z');
  assert.equal(ends({ fixed_interval: '1d', offset: '+6h' }), '2024-07-15T06:00:00.000Z');
  assert.equal(ends({ fixed_interval: '1d', offset: '-6h', time_zone: 2 }), '2024-07-14T16:00:00.000Z');
  assert.throws(() => ends({ calendar_interval: 'constructor' }), /could not be parsed as a calendar interval/);
});
