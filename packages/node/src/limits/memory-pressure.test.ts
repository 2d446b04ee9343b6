import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryPressure } from './memory-pressure.js';

const MB = 2 ** 20;

function scene(afterMinor: number, afterMajor: number): { look(residentMb: number, atMs: number): string[] } {
  let [resident, now] = [0, 0];
  let kinds: string[] = [];
  const pressure = new MemoryPressure({
    budgetBytes: 100 * MB,
    resident: () => resident,
    now: () => now,
    collect(kind) {
      kinds.push(kind);
      resident = Math.min(resident, (kind === 'minor' ? afterMinor : afterMajor) * MB);
    },
  });
  return {
    look(residentMb, atMs) {
      [resident, now, kinds] = [residentMb * MB, atMs, []];
      pressure.look();
      return kinds;
    },
  };
}

test('garbage is collected near the budget only, all of it when the young is not enough', () => {
  assert.deepEqual(scene(50, 40).look(65, 0), []);
  assert.deepEqual(scene(50, 40).look(92, 0), ['minor']);
  assert.deepEqual(scene(72, 40).look(92, 0), ['minor']);
  assert.deepEqual(scene(92, 40).look(92, 0), ['minor', 'begin']);
});

test('at the budget all garbage goes at once', () => assert.deepEqual(scene(96, 40).look(96, 0), ['minor', 'major']));

test('a collection that did not help waits for more memory or time', () => {
  const { look } = scene(74, 72);
  assert.deepEqual(look(72, 0), ['minor']);
  assert.deepEqual(look(73, 200), []);
  assert.deepEqual(look(78, 400), ['minor']);
  assert.deepEqual(look(78, 5_000), []);
  assert.deepEqual(look(78, 10_500), ['minor']);
});
