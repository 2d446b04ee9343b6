import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { BLOCK_OVERHEAD_BYTES, type CachedBlock, createBlockCache } from './block-cache.js';

test('a block that comes into a full cache stays until the others have had their turn, whatever their sizes', () => {
  const cache = createBlockCache(100_000);
  const held = new Set<CachedBlock>();
  const add = (bytes: number): CachedBlock => {
    const block: CachedBlock = {
      bytes: new Uint8Array(bytes),
      overheadBytes: BLOCK_OVERHEAD_BYTES,
      isUsed: false,
      drop: () => held.delete(block),
    };
    held.add(block);
    cache.add(block);
    return block;
  };
  for (let i = 0; i < 200; i++) {
    const previous = add(i % 3 === 0 ? 500 : 1500);
    const block = add(i % 2 === 0 ? 20_000 : 300);
    assert.ok(held.has(previous) && held.has(block), `blocks of round ${i}`);
    assert.ok(cache.bytes <= 75_000);
  }
});

test('what a block costs besides its bytes is charged and given back', () => {
  const cache = createBlockCache(100_000);
  const block: CachedBlock = { bytes: new Uint8Array(500), overheadBytes: 1000, isUsed: false, drop: () => undefined };
  cache.add(block);
  assert.equal(cache.bytes, 1500);
  cache.remove(block);
  assert.equal(cache.bytes, 0);
});

test('a cache that never fills up does not keep what its holders dropped', async () => {
  const cache = createBlockCache(1 << 30);
  const dropped: WeakRef<CachedBlock>[] = [];
  for (let round = 0; round < 50; round++) {
    const blocks = Array.from(
      { length: 100 },
      (): CachedBlock => ({
        bytes: new Uint8Array(8),
        overheadBytes: BLOCK_OVERHEAD_BYTES,
        isUsed: false,
        drop: () => undefined,
      }),
    );
    for (const block of blocks) cache.add(block);
    for (const block of blocks) cache.remove(block);
    for (const block of blocks) dropped.push(new WeakRef(block));
  }
  setFlagsFromString('--expose-gc');
  await new Promise((resolve) => setImmediate(resolve));
  (runInNewContext('gc') as () => void)();
  assert.ok(dropped.filter((ref) => ref.deref() !== undefined).length <= 100);
  assert.equal(cache.bytes, 0);
});
