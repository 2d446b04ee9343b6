import type { KeyValueStores } from '@shoal/doors';
import type { BlockCache } from '../commit/block-cache.js';
import { openSegmentBytes, type SegmentBytes } from '../commit/segment-parts.js';
import { numberedKey } from '../level/keys.js';
import { decodeOperation, type Operation } from '../log/operation.js';
import { createOperationCache } from '../log/operation-cache.js';

/**
 * Second handle of the store of an open shard, on another thread: for reading what does not change while the owner
 * holds it, which are sealed segments and the operations of their documents.
 */
export interface StoreReader {
  /** Opens a segment. Throws corrupt_index_exception if it is not the one with the root hash. */
  segment(segment: number, rootHash: Uint8Array): SegmentBytes;
  /** Returns an operation of the log; undefined if the log does not have it. */
  operation(seqNo: number): Operation | undefined;
  close(): Promise<void>;
}

/** Opens a second handle of a store. Blocks of segments, and operations, are kept in `cache`. */
export async function openStoreReader(
  stores: KeyValueStores,
  location: string,
  cache: BlockCache,
): Promise<StoreReader> {
  const store = await stores.open(location);
  const operations = createOperationCache(cache);
  return {
    segment: (segment, rootHash) =>
      openSegmentBytes(
        () => store,
        segment,
        cache,
        rootHash,
        () => undefined,
      ),
    operation(seqNo) {
      const held = operations.get(seqNo);
      if (held !== undefined) return held;
      const key = numberedKey('operation', seqNo);
      const value = store.get(key);
      if (value === undefined) return undefined;
      const operation = decodeOperation(seqNo, key, value);
      operations.put(operation, value);
      return operation;
    },
    async close() {
      operations.clear();
      await store.close();
    },
  };
}
