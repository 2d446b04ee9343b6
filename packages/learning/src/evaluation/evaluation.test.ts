import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Confusion } from './confusion.js';
import { RegressionErrors } from './regression-errors.js';
import { areaUnderRoc } from './roc.js';

test('the area under the curve is the share of pairs in the right order, equal ones half', () => {
  const scores = Float64Array.of(0.9, 0.8, 0.8, 0.3, 0.3, 0.1);
  const isClass = Uint8Array.of(1, 0, 1, 1, 0, 0);
  let [right, pairs] = [0, 0];
  for (let i = 0; i < 6; i++)
    for (let j = 0; j < 6; j++)
      if (isClass[i] === 1 && isClass[j] === 0) {
        pairs++;
        right += scores[i]! > scores[j]! ? 1 : scores[i] === scores[j] ? 0.5 : 0;
      }
  assert.ok(Math.abs(areaUnderRoc(scores, isClass).area - right / pairs) < 1e-12);
  assert.deepEqual(areaUnderRoc(scores, isClass).curve.at(-1), { truePositives: 1, falsePositives: 1, threshold: 0.1 });
});

test('errors of a regression are those of their definitions', () => {
  const errors = new RegressionErrors(1, 2);
  for (const [actual, predicted] of [
    [1, 2],
    [3, 3],
    [8, 5],
  ] as const)
    errors.add(actual, predicted);
  const { mse, msle, huber, r_squared: r } = errors.values();
  assert.ok(Math.abs(mse - 10 / 3) < 1e-12);
  assert.ok(Math.abs(msle - (Math.log(2 / 3) ** 2 + Math.log(9 / 6) ** 2) / 3) < 1e-12);
  assert.ok(Math.abs(huber - (4 / 3) * (Math.sqrt(1.25) + Math.sqrt(3.25) - 2)) < 1e-12);
  assert.ok(Math.abs(r - (1 - 10 / 26)) < 1e-12);
});

test('precision, recall and accuracy of classes count rows', () => {
  const found = new Confusion();
  for (const [actual, predicted] of ['aa', 'aa', 'ab', 'ba', 'bb', 'cc']) found.add(actual!, predicted!);
  assert.deepEqual(found.classes, ['a', 'b', 'c']);
  assert.equal(found.precision('a'), 2 / 3);
  assert.equal(found.recall('b'), 1 / 2);
  assert.equal(found.accuracy('c'), 1);
  assert.equal(found.accuracy('a'), 4 / 6);
  assert.equal(found.overallAccuracy, 4 / 6);
});
