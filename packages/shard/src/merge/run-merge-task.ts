import type { KeyValueStores } from '@shoal/doors';
import { bitSetOver, mergeSegments, mergeSorted, openSegment } from '@shoal/segments';
import { createBlockCache, createSegmentWriter, openSegmentBytes } from '@shoal/store';
import { docOrder } from '../engine/index-sort.js';
import type { MergeResult, MergeTask } from '../shard-api.js';

const NO_HASH = new Uint8Array(0);
/**
 * Cache of segment bytes for a merge. It reads each input once from front to back, so a few chunks of each are enough.
 */
const CACHE_BYTES = 8 * 1024 * 1024;

/**
 * Runs a merge on another thread, over a second handle of the shard's store. `pause` is awaited every few milliseconds
 * and may end the merge by throwing. Throws corrupt_index_exception.
 */
export async function runMergeTask(
  task: MergeTask,
  doors: { readonly stores: KeyValueStores; readonly pause: () => Promise<void> },
): Promise<MergeResult> {
  const store = await doors.stores.open(task.location);
  const cache = createBlockCache(CACHE_BYTES);
  try {
    const opened = task.inputs.map((input) =>
      openSegmentBytes(
        () => store,
        input.segment,
        cache,
        null,
        () => undefined,
      ),
    );
    const inputs = task.inputs.map((input, i) => ({
      reader: openSegment(opened[i]!),
      live: input.live === null ? null : bitSetOver(input.live, input.maxDoc),
      maxDoc: input.maxDoc,
    }));
    const writer = createSegmentWriter(() => store, task.output);
    const options = { pause: doors.pause, graphs: task.graphs };
    const { maxDoc, docMaps } = await (task.sort
      ? mergeSorted(inputs, docOrder(task.sort), writer, options)
      : mergeSegments(inputs, writer, options));
    const sealed = maxDoc === 0 ? { byteSize: 0, rootHash: NO_HASH } : await writer.finish();
    for (const bytes of opened) bytes.release();
    return { maxDoc, docMaps, ...sealed };
  } finally {
    await store.close();
  }
}
