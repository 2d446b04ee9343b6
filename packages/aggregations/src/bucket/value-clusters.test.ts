import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ValueClusters } from './value-clusters.js';

/** Clusters of values as `min-max(size)`, and the values of each by the ids that were told. */
function clustersOf(values: readonly number[], sizeMax: number, bufferMax: number): string[] {
  const clusters = new ValueClusters(sizeMax, bufferMax, () => {});
  const ids: number[] = [];
  const settle = (clusterOf: Int32Array): void => clusterOf.forEach((id, i) => void (ids[i] = id));
  for (const value of values) {
    ids.push(-1);
    const id = clusters.add(value, settle);
    if (id >= 0) ids[ids.length - 1] = id;
  }
  return clusters.clusters(settle).map(({ id, min, max, size }) => {
    const own = values.filter((_, i) => ids[i] === id).sort((a, b) => a - b);
    assert.deepEqual([own[0], own.at(-1), own.length], [min, max, size], 'each value is told its cluster');
    return `${min}-${max}(${size})`;
  });
}

test('the first values are divided into clusters of equal size', () => {
  assert.deepEqual(clustersOf([4, 1, 3, 2, 6, 5], 4, 100), ['1-2(2)', '3-4(2)', '5-6(2)']);
  assert.deepEqual(clustersOf([3, 1, 2], 100, 100), ['1-1(1)', '2-2(1)', '3-3(1)']);
  assert.deepEqual(clustersOf([], 4, 100), []);
});

test('later values join the nearest cluster, or found one when they are far from all', () => {
  assert.deepEqual(clustersOf([1, 2, 3, 100], 4, 3), ['1-1(1)', '2-2(1)', '3-3(1)', '100-100(1)']);
  assert.deepEqual(clustersOf([1, 2, 3, 100, 2.2, 60, 1000], 4, 3), ['1-1(1)', '2-2.2(2)', '3-3(1)', '60-1000(3)']);
  assert.deepEqual(clustersOf([10, 20, 30, -50, 31], 4, 3), ['-50--50(1)', '10-10(1)', '20-20(1)', '30-31(2)']);
});
