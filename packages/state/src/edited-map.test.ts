import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { changedKeys, derivedOf, editMap } from './edited-map.js';

test('of two maps only what was edited between them is looked at', () => {
  const first = new Map(Array.from({ length: 1_000 }, (_, i) => [`k${i}`, i]));
  const second = editMap(first, [['k3', -1]], ['k7', 'absent']);
  const third = editMap(second, [['new', 5]]);
  assert.deepEqual([...changedKeys(first, second)], ['k7', 'k3']);
  assert.deepEqual([...changedKeys(first, third)], ['k7', 'k3', 'new']);
  assert.deepEqual([...changedKeys(second, third)], ['new']);
  assert.equal(first.get('k3'), 3);
  assert.equal(second.has('k7'), false);
});

test('maps of which it is not known how they came about are compared as wholes', () => {
  const left = new Map([['a', 1]]);
  const right = new Map([['b', 1]]);
  assert.deepEqual([...changedKeys(left, right)], ['a', 'b']);
  let map: ReadonlyMap<string, number> = left;
  for (let i = 0; i < 1_000; i++) map = editMap(map, [['x', i]]);
  assert.deepEqual([...changedKeys(left, map)], ['a', 'x']);
});

test('edited keys include all that differ, and what is derived of edits is what is derived of the whole', () => {
  const edits = fc.array(
    fc.record({
      put: fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.integer({ min: 0, max: 9 }))),
      gone: fc.array(fc.constantFrom('a', 'b', 'c', 'd')),
    }),
    { maxLength: 150 },
  );
  const total = (map: ReadonlyMap<string, number>): number => [...map.values()].reduce((sum, value) => sum + value, 0);
  fc.assert(
    fc.property(edits, fc.nat(), (steps, at) => {
      const derived = derivedOf(total, (before, from, to, keys) =>
        [...keys].reduce((sum, key) => sum - (from.get(key) ?? 0) + (to.get(key) ?? 0), before),
      );
      const maps: ReadonlyMap<string, number>[] = [new Map()];
      for (const { put, gone } of steps) {
        maps.push(editMap(maps.at(-1)!, put, gone));
        assert.equal(derived(maps.at(-1)!), total(maps.at(-1)!));
      }
      const from = maps[at % maps.length]!;
      const changed = new Set(changedKeys(from, maps.at(-1)!));
      for (const key of ['a', 'b', 'c', 'd'])
        if (from.get(key) !== maps.at(-1)!.get(key)) assert.ok(changed.has(key), key);
    }),
  );
});
