import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { IdTable } from './id-table.js';

test('a table holds what a map would', () => {
  // A few numbers with the same slots, and some far above 32 bits.
  const id = fc.oneof(
    fc.integer({ min: 0, max: 40 }),
    fc.integer({ min: 0, max: 6 }).map((i) => i * 2 ** 20),
    fc.integer({ min: 0, max: 9 }).map((i) => 2 ** 52 + i * 16),
  );
  const step = fc.record({ kind: fc.constantFrom('set', 'set', 'delete', 'get'), id, value: fc.nat() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const [table, map] = [new IdTable<number>(), new Map<number, number>()];
      for (const { kind, id: at, value } of steps) {
        if (kind === 'set') {
          table.set(at, value);
          map.set(at, value);
        } else if (kind === 'delete') assert.equal(table.delete(at), map.delete(at));
        assert.deepEqual([table.has(at), table.get(at), table.size], [map.has(at), map.get(at), map.size]);
      }
      assert.deepEqual(
        table.entries(),
        [...map].sort(([a], [b]) => a - b),
      );
    }),
  );
});

test('requests that come and go beside one that stays find their places again', () => {
  const table = new IdTable<string>();
  table.set(7, 'stays');
  for (let id = 8; id < 100_000; id++) {
    table.set(id, `${id}`);
    if (id >= 20) assert.ok(table.delete(id - 12));
  }
  assert.equal(table.get(7), 'stays');
  assert.equal(table.size, 13);
});
