import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryMeter, type ProcessMemory } from './process-memory.js';

test('memory is what was measured last where the process has no descriptor left, at first the heap', () => {
  let known: ProcessMemory | null = null;
  const meter = memoryMeter(() => {
    if (known !== null) return known;
    throw new Error('EMFILE: too many open files, uv_resident_set_memory');
  });
  assert.ok(meter().rss > 1_000_000);
  known = { rss: 5, external: 6, arrayBuffers: 7 };
  assert.deepEqual(meter(), known);
  const before = known;
  known = null;
  assert.deepEqual(meter(), before);
});
