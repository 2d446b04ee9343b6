import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededDraws } from '../trees/draws.js';
import { detectOutliers, type OutlierOptions, type OutlierResult } from './detect.js';

const PLAIN: OutlierOptions = {
  ...{ method: null, neighbours: null, fraction: 0.05, standardizes: true, wantsInfluence: true, seed: 1 },
};

function run(columns: readonly Float64Array[], options: Partial<OutlierOptions> = {}): OutlierResult {
  const work = detectOutliers(columns, { ...PLAIN, ...options });
  let next = work.next();
  while (next.done !== true) next = work.next();
  return next.value;
}

/** Two clusters and, in the last row, a point between them that is off in the second column. */
function clusters(): Float64Array[] {
  const draw = seededDraws(3);
  const columns = [new Float64Array(201), new Float64Array(201)];
  for (let row = 0; row < 200; row++) {
    columns[0]![row] = (row % 2 === 0 ? 0 : 10) + draw();
    columns[1]![row] = draw();
  }
  columns[0]![200] = 0.5;
  columns[1]![200] = 7;
  return columns;
}

test('each method gives the point that lies apart the highest score', () => {
  for (const method of [null, 'lof', 'ldof', 'distance_kth_nn', 'distance_knn'] as const) {
    const { scores } = run(clusters(), { method, ...(method === 'ldof' ? { neighbours: 10 } : {}) });
    assert.equal(scores.indexOf(Math.max(...scores)), 200, String(method));
    assert.ok(scores.every((score) => score >= 0 && score <= 1));
  }
});

test('the influence of columns adds up to one and names the column that is off', () => {
  const { influence } = run(clusters());
  assert.ok(influence![401]! > 0.9);
  assert.ok(Math.abs(influence![400]! + influence![401]! - 1) < 1e-12);
});

test('equal points, one point and constant columns have scores', () => {
  for (const rows of [1, 2, 3, 50]) {
    const { scores } = run([new Float64Array(rows).fill(4), new Float64Array(rows)]);
    assert.equal(scores.length, rows);
    assert.ok(scores.every((score) => score >= 0 && score <= 1));
  }
});
