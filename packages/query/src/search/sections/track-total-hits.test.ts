import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchOf, sectionTable } from '../../testing/section-table.js';

test('totals are exact, up to a number, or none', () =>
  sectionTable(
    'trackTotalHits',
    [
      [{}, 10_000],
      [{ track_total_hits: true }, true],
      [{ track_total_hits: 'false' }, false],
      [{ track_total_hits: 100 }, 100],
      [{ track_total_hits: '100' }, 100],
      [{ track_total_hits: -1 }, false],
    ],
    [
      [
        { track_total_hits: -2 },
        'illegal_argument_exception: [track_total_hits] parameter must be positive or equals to -1, got -2',
      ],
      [{ track_total_hits: 'all' }, 'number_format_exception: For input string: "all"'],
    ],
  ));

test('a shard counts all hits, up to a number, or none', () => {
  const most = (value: unknown): number => searchOf({ track_total_hits: value }).totalHitsMax;
  assert.deepEqual([true, false, -1, 0, 7].map(most), [Infinity, 0, 0, 0, 7]);
  assert.equal(searchOf({}).totalHitsMax, 10_000);
});
