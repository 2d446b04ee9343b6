import type { BatchOperation, KeyRange, KeyValueStore } from '@shoal/doors';
import { segmentOfKey, segmentRange, segmentsFrom } from './keys.js';

const DELETE_BATCH_KEYS = 2000;

/** Removes keys in synced batches. */
export async function removeKeys(store: KeyValueStore, keys: readonly Uint8Array[]): Promise<void> {
  for (let i = 0; i < keys.length; i += DELETE_BATCH_KEYS) {
    const operations: BatchOperation[] = keys.slice(i, i + DELETE_BATCH_KEYS).map((key) => ({ type: 'del', key }));
    await store.batch(operations, { sync: true });
  }
}

/** Removes all segments whose numbers are not in `known`. */
export async function removeOtherSegments(store: KeyValueStore, known: ReadonlySet<number>): Promise<void> {
  for (let from = 0; ; ) {
    let found = -1;
    for await (const [key] of store.entries({ ...segmentsFrom(from), limit: 1 })) found = segmentOfKey(key);
    if (found < 0) return;
    if (!known.has(found)) {
      const keys: Uint8Array[] = [];
      for await (const [key] of store.entries(segmentRange(found))) keys.push(key);
      await removeKeys(store, keys);
    }
    from = found + 1;
  }
}

/** Removes all keys of a range. */
export async function removeRange(store: KeyValueStore, range: KeyRange): Promise<void> {
  const stale: Uint8Array[] = [];
  for await (const [key] of store.entries(range)) stale.push(key);
  await removeKeys(store, stale);
}
