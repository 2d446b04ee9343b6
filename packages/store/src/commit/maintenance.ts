import type { Files, KeyValueStore, Log } from '@shoal/doors';
import { removeKeys } from '../level/remove-records.js';
import { numberedKey, numberOfKey, segmentRange } from '../level/keys.js';
import type { BatchIndex } from '../log/batch-index.js';
import { keysOfSegment } from './segment-parts.js';

const COMPACT_BYTES_MIN = 4 * 1024 * 1024;
/** Bytes of disk that merges and compactions leave free for other writes. */
const RESERVE_BYTES = 16 * 1024 * 1024;

/** The store and the index of its batches, on which removals work. */
export interface MaintenanceOptions {
  readonly path: string;
  readonly files: Files;
  readonly log: Log;
  readonly batches: BatchIndex;
  /** The open store; throws if the store has failed. */
  readonly store: () => KeyValueStore;
}

/**
 * Removes data that no commit point needs any more, and compacts ranges of which much was removed. Removals run one
 * after the other and never fail their caller: the next open removes the rest.
 */
export class Maintenance {
  readonly #options: MaintenanceOptions;
  /** Range of operation numbers in which batch headers were removed since the last compaction. */
  #trimmed: { readonly from: number; readonly to: number } | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(options: MaintenanceOptions) {
    this.#options = options;
  }

  /** Removes these keys. */
  remove(keys: Parameters<typeof removeKeys>[1]): Promise<void> {
    return this.#run(() => removeKeys(this.#options.store(), keys));
  }

  /** Removes the headers of batches below `oldestNeeded()`, which is called when the removal starts. */
  trimBatches(oldestNeeded: () => Parameters<BatchIndex['keysBelow']>[0]): Promise<void> {
    return this.#run(async () => {
      const { batches, store } = this.#options;
      const until = oldestNeeded();
      const keys = batches.keysBelow(until);
      if (keys.length === 0) return;
      await removeKeys(store(), keys);
      this.#trimmed = {
        from: Math.min(this.#trimmed?.from ?? Infinity, numberOfKey(keys[0]!)),
        to: numberOfKey(keys.at(-1)!) + 1,
      };
      batches.forget(until);
    });
  }

  /** Removes a segment; compacts its range if it is large and the disk has room for that. */
  dropSegment(segment: number): Promise<void> {
    return this.#run(async () => {
      const { store } = this.#options;
      const size = await store().sizeOf(segmentRange(segment));
      await removeKeys(store(), await keysOfSegment(store(), segment));
      // LevelDB 1.20 may abort the process if the disk becomes full during the compaction of a range.
      if (size >= COMPACT_BYTES_MIN && (await this.hasRoomFor(size))) await store().compact(segmentRange(segment));
    });
  }

  /** Whether `bytes` bytes can be written without using the reserve for other writes. */
  async hasRoomFor(bytes: number): Promise<boolean> {
    const { files, path } = this.#options;
    return (await files.freeBytes(path)) >= bytes + RESERVE_BYTES;
  }

  /** Compacts the range of removed batch headers. */
  compact(): Promise<void> {
    return this.#run(async () => {
      const { store } = this.#options;
      const { from, to } = this.#trimmed ?? { from: 0, to: 0 };
      const range = { gte: numberedKey('operation', from), lt: numberedKey('operation', to) };
      if (!(await this.hasRoomFor(await store().sizeOf(range)))) return;
      this.#trimmed = null;
      await store().compact(range);
    });
  }

  /** Resolves when the removals that were asked for by now have ended. */
  async ended(): Promise<void> {
    await this.#last;
  }

  /** From here on failures are not worth a line in the log. */
  close(): void {
    this.#isClosed = true;
  }

  #run(work: () => Promise<void>): Promise<void> {
    const next = this.#last.then(work).catch((error) => {
      if (this.#isClosed) return;
      this.#options.log.write('warn', 'removal from a shard store failed', {
        path: this.#options.path,
        'error.message': String(error),
      });
    });
    this.#last = next;
    return next;
  }
}
