import assert from 'node:assert/strict';
import { test } from 'node:test';
import { binTable } from './bins.js';
import { countUp, seededDraws } from './draws.js';
import { addTree, TreeGrower } from './grow.js';
import { PLAIN_SETTINGS } from './settings.js';

/** Gain of the best split of a table by trying all of them. */
function exhaustiveGain(columns: readonly Float64Array[], g: Float64Array, lambda: number, least: number): number {
  const score = (rows: number[]): number => rows.reduce((sum, row) => sum + g[row]!, 0) ** 2 / (rows.length + lambda);
  const all = [...g.keys()];
  let best = 0;
  for (const column of columns)
    for (const cut of column)
      for (const side of [true, false]) {
        const left = all.filter((row) => (Number.isNaN(column[row]!) ? side : column[row]! < cut));
        const right = all.filter((row) => !left.includes(row));
        if (left.length < least || right.length < least) continue;
        best = Math.max(best, score(left) + score(right) - score(all));
      }
  return best;
}

test('the first split gains as much as the best of all splits, also where values are missing', () => {
  for (let seed = 1; seed <= 60; seed++) {
    const draw = seededDraws(seed);
    const rows = 8 + Math.floor(draw() * 30);
    const columns = [1, 2, 3].map(() =>
      Float64Array.from({ length: rows }, () => (draw() < 0.15 ? Number.NaN : Math.floor(draw() * 7))),
    );
    const g = Float64Array.from({ length: rows }, () => draw() - 0.5);
    const settings = { ...PLAIN_SETTINGS, leaves: 2, gamma: 0, lambda: 0.7, rowsLeast: 2 };
    const grower = new TreeGrower(binTable(columns, countUp(rows)));
    const tree = grower.grow(countUp(rows), g, new Float64Array(rows).fill(1), countUp(3), settings);
    const expected = exhaustiveGain(columns, g, 0.7, 2);
    assert.ok(Math.abs((tree.gain[0] ?? 0) - expected) < 1e-9, `seed ${seed}: ${tree.gain[0]}, ${expected}`);
  }
});

test('leaves hold the rows that they were grown on, and at least as many as are asked for', () => {
  const draw = seededDraws(5);
  const rows = 500;
  const columns = [1, 2].map(() => Float64Array.from({ length: rows }, () => draw()));
  const g = Float64Array.from({ length: rows }, (_, row) => Math.sin(9 * columns[0]![row]!) - columns[1]![row]!);
  const table = binTable(columns, countUp(rows));
  const settings = { ...PLAIN_SETTINGS, leaves: 20, gamma: 0, lambda: 0, rowsLeast: 7 };
  const tree = new TreeGrower(table).grow(countUp(rows), g, new Float64Array(rows).fill(1), countUp(2), settings);
  const leaves = [...tree.feature.keys()].filter((node) => tree.feature[node]! < 0);
  assert.equal(leaves.length, 20);
  assert.equal(
    leaves.reduce((sum, node) => sum + tree.count[node]!, 0),
    rows,
  );
  assert.ok(leaves.every((node) => tree.count[node]! >= 7));
  // With no penalty the value of a leaf is the mean of its rows, so that their errors add up to nothing.
  const scores = new Float64Array(rows);
  addTree(tree, table, countUp(rows), 1, scores);
  assert.ok(Math.abs(scores.reduce((sum, score, row) => sum + score + g[row]!, 0)) < 1e-6);
});
