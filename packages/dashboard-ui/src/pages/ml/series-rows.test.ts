import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AnomalyRecord } from './ml-answers.js';
import { seriesRows } from './series-rows.js';

const record = (timestamp: number, score: number, typical: number) =>
  ({ timestamp, record_score: score, typical: [typical], detector_index: 0, function: 'mean' }) satisfies AnomalyRecord;

test('a value has its worst anomaly and the bounds of its time; a forecast goes on behind', () => {
  const points = [
    { at: 0, value: 1 },
    { at: 10, value: null },
    { at: 20, value: 9 },
  ];
  const records = [record(25, 40, 3), record(20, 90, 2), record(10, 1, 5), record(-5, 99, 7)];
  const plot = [{ at: 0, value: 1.5, lower: 1, upper: 2 }];
  const forecast = [
    { at: 20, value: 4, lower: 3, upper: 5 },
    { at: 30, value: 5, lower: 3, upper: 7 },
  ];
  assert.deepEqual(seriesRows(points, records, plot, forecast), [
    { at: 0, value: 1, typical: 1.5, score: null, forecast: null, lower: 1, upper: 2 },
    { at: 10, value: null, typical: 5, score: 1, forecast: null, lower: null, upper: null },
    { at: 20, value: 9, typical: 2, score: 90, forecast: 4, lower: 3, upper: 5 },
    { at: 30, value: null, typical: null, score: null, forecast: 5, lower: 3, upper: 7 },
  ]);
});
