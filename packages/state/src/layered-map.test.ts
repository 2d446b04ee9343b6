import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LayeredMap } from './layered-map.js';

const large = (size: number): Map<string, number> => new Map(Array.from({ length: size }, (_, i) => [`k${i}`, i]));

/** What can be asked of a map, in the order of its entries. */
function contents(map: ReadonlyMap<string, number>, keys: readonly string[]) {
  const walked: [string, number][] = [];
  const lookedUp = keys.map((key) => [map.has(key), map.get(key)]);
  const { size } = map;
  map.forEach((value, key) => walked.push([key, value]));
  return { size, lookedUp, walked, entries: [...map], keys: [...map.keys()], values: [...map.values()] };
}

const keyOf = fc.integer({ min: 190, max: 240 }).map((i) => `k${i}`);
const edits = fc.array(
  fc.record({
    put: fc.array(fc.tuple(keyOf, fc.integer()), { maxLength: 4 }),
    gone: fc.array(keyOf, { maxLength: 3 }),
    isWalked: fc.boolean(),
  }),
  { maxLength: 60 },
);

test('edits of a large map are those of a Map, in the order of its entries, and leave the earlier maps alone', () => {
  const keys = Array.from({ length: 60 }, (_, i) => `k${i + 185}`);
  fc.assert(
    fc.property(fc.integer({ min: 195, max: 230 }), edits, (size, steps) => {
      const plain = [large(size)];
      const layered: ReadonlyMap<string, number>[] = [large(size)];
      for (const { put, gone, isWalked } of steps) {
        const next = new Map(plain.at(-1)!);
        for (const key of gone) next.delete(key);
        for (const [key, value] of put) next.set(key, value);
        plain.push(next);
        layered.push(LayeredMap.edited(layered.at(-1)!, put, gone));
        if (isWalked) assert.deepEqual([...layered.at(-1)!], [...next]);
      }
      for (const [i, map] of layered.entries()) assert.deepEqual(contents(map, keys), contents(plain[i]!, keys));
    }),
    { numRuns: 100 },
  );
});

test('an edit of a large map does not copy it', () => {
  let copied = 0;
  class Counted extends Map<string, number> {
    override *[Symbol.iterator](): MapIterator<[string, number]> {
      for (const entry of super.entries()) {
        copied++;
        yield entry;
      }
    }
  }
  let map: ReadonlyMap<string, number> = new Counted(large(10_000));
  for (let i = 0; i < 150; i++) map = LayeredMap.edited(map, [[`k${i}`, -i]], []);
  assert.deepEqual([copied, map.size, map.get('k149'), map.get('k150')], [0, 10_000, -149, 150]);
});
