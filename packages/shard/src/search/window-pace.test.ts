import assert from 'node:assert/strict';
import test from 'node:test';
import { WindowPace } from './window-pace.js';

/** Sizes of the windows of 100,000 documents that each take `docMs`, besides `windowMs` for each window. */
function sizes(docMs: number, isSlow: boolean, windowMs = 0, docsMax?: number): number[] {
  let elapsed = 0;
  const progress = {
    check: () => false,
    sliceOver: () => false,
    yield: async () => undefined,
    elapsedMs: () => elapsed,
  };
  const pace = new WindowPace(progress, isSlow, docsMax);
  const found: number[] = [];
  for (let from = 0; from < 100_000 && found.length < 40; ) {
    const to = pace.endFrom(from, 100_000);
    found.push(to - from);
    elapsed += windowMs + (to - from) * docMs;
    pace.next(to - from);
    from = to;
  }
  return found;
}

test('windows of quick documents are whole', () => {
  assert.deepEqual(sizes(0.0001, false).slice(0, 3), [4096, 4096, 4096]);
});

test('windows of slow documents shrink to a few milliseconds', () => {
  assert.deepEqual(sizes(1, false).slice(0, 7), [4096, 1024, 256, 64, 16, 4, 4]);
  assert.deepEqual(sizes(30, true).slice(0, 5), [1, 2, 1, 1, 1]);
});

test('a search that may be slow begins with one document and grows where it is not', () => {
  assert.deepEqual(sizes(0.0001, true).slice(0, 6), [1, 2, 4, 8, 16, 32]);
  assert.ok(sizes(0.0001, true).includes(4096));
});

test('windows that take long without any document are not made small', () => {
  assert.ok(sizes(0.005, true, 10).includes(1024));
  assert.ok(sizes(0.005, true, 10).every((size) => size <= 4096));
  assert.deepEqual(sizes(0.001, false, 30).slice(-4, -1), [4096, 4096, 4096]);
});

test('windows of documents that may become slow at once stay small', () => {
  assert.deepEqual(sizes(0.0001, true, 0, 16).slice(0, 7), [1, 2, 4, 8, 16, 16, 16]);
  assert.ok(sizes(0.0001, true, 0, 16).every((size) => size <= 16));
});
