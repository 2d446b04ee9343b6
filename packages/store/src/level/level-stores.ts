import { rm } from 'node:fs/promises';
import type { BatchOperation, KeyRange, KeyValueStore, KeyValueStores } from '@shoal/doors';
import { Level as LevelDatabase } from 'level';

/**
 * Bytes of LevelDB's write buffer. 16 MiB would cost a quarter less CPU while loading, but 70-90 ms instead of 20 ms
 * for each open after a crash.
 */
const WRITE_BUFFER_BYTES = 4 * 1024 * 1024;
/** Limit of the table files that a handle has open. */
const OPEN_FILES_MAX = 64;
/**
 * Bytes of a table block. Compared with 4 KiB, the documents of a package index take 13 % less disk, and reading one
 * takes 8 us instead of 6. 16 KiB would save 9 % more, but a read would take 13 us.
 */
const BLOCK_BYTES = 8192;
/** Bytes of a table file: with OPEN_FILES_MAX files, 512 MB of a shard are read without reopening files. */
const FILE_BYTES_MAX = 8 * 1024 * 1024;
/** Bytes of the caches of uncompressed table blocks of all handles together. */
const CACHE_BYTES_TOTAL = 24 * 1024 * 1024;
/** Limits of the cache of one handle, in bytes. */
const CACHE_BYTES_MAX = 8 * 1024 * 1024;
const CACHE_BYTES_MIN = 512 * 1024;
/** Entries, and bytes of them, that are read at once; by default LevelDB's binding gives 16 KiB a call. */
const BLOCK_ENTRIES_MAX = 1000;
const READ_BYTES = 128 * 1024;
const VIEW = { keyEncoding: 'view', valueEncoding: 'view' } as const;

/** Calls of LevelDB that the types of `level` do not have, because its implementation for browsers lacks them. */
interface LevelDbCalls {
  approximateSize(start: Uint8Array, end: Uint8Array): Promise<number>;
  compactRange(start: Uint8Array, end: Uint8Array): Promise<void>;
}

type Level = LevelDatabase<Uint8Array, Uint8Array> & LevelDbCalls;

/** Limits of LevelDB handles; all in bytes. */
export interface LevelOptions {
  /**
   * Limit of LevelDB's caches of table blocks, for all handles together. They serve the operation logs; chunks of
   * segments have a cache of their own (`createBlockCache`).
   */
  readonly cacheBytes?: number;
}

type Entry = readonly [Uint8Array, Uint8Array];

/** What is used of an iterator of LevelDB. */
interface LevelIterator {
  nextv(size: number): Promise<readonly Entry[]>;
  close(): Promise<void>;
}

/** The entries of a range, a block at a time. A generator costs four times as much an entry: several promises each. */
class Entries implements AsyncIterator<Entry, undefined> {
  readonly #iterator: LevelIterator;
  #block: readonly Entry[] = [];
  #at = 0;

  constructor(iterator: LevelIterator) {
    this.#iterator = iterator;
  }

  next(): Promise<IteratorResult<Entry, undefined>> {
    if (this.#at < this.#block.length) return Promise.resolve({ done: false, value: this.#block[this.#at++]! });
    return this.#nextBlock();
  }

  async #nextBlock(): Promise<IteratorResult<Entry, undefined>> {
    try {
      this.#block = await this.#iterator.nextv(BLOCK_ENTRIES_MAX);
    } catch (error) {
      await this.return();
      throw error;
    }
    this.#at = 0;
    return this.#block.length === 0 ? this.return() : this.next();
  }

  async return(): Promise<IteratorResult<Entry, undefined>> {
    this.#block = [];
    await this.#iterator.close();
    return { done: true, value: undefined };
  }
}

function entriesOf(level: Level, range: KeyRange): AsyncIterable<Entry> {
  const options = {
    gte: range.gte,
    lt: range.lt,
    reverse: range.reverse ?? false,
    highWaterMarkBytes: READ_BYTES,
    ...(range.limit === undefined ? {} : { limit: range.limit }),
    ...VIEW,
  };
  return { [Symbol.asyncIterator]: () => new Entries(level.iterator(options)) };
}

/** Writes a chained batch, which takes 0.6 us an operation; a batch given as an array takes 3.5 us. */
function writeBatch(level: Level, operations: readonly BatchOperation[], sync: boolean): Promise<void> {
  const batch = level.batch();
  for (let i = 0; i < operations.length; i++) {
    const operation = operations[i]!;
    if (operation.type === 'put') batch.put(operation.key, operation.value);
    else batch.del(operation.key);
  }
  return batch.write({ sync });
}

function levelStore(level: Level, onClose: () => void): KeyValueStore {
  return {
    get: (key) => level.getSync(key),
    batch: async (operations, { sync }) => writeBatch(level, operations, sync),
    entries: (range) => entriesOf(level, range),
    sizeOf: ({ gte, lt }) => level.approximateSize(gte, lt),
    compact: ({ gte, lt }) => level.compactRange(gte, lt),
    async close() {
      if (level.status === 'open') onClose();
      await level.close();
    },
  };
}

/**
 * LevelDB stores, one folder each. Several threads of one process may open the same folder (`multithreading`), so that
 * a background worker can merge segments beside the shard's own thread.
 */
export function levelStores(options: LevelOptions = {}): KeyValueStores {
  let cacheBytesLeft = options.cacheBytes ?? CACHE_BYTES_TOTAL;
  return {
    async open(location) {
      const cacheSize = Math.max(CACHE_BYTES_MIN, Math.min(CACHE_BYTES_MAX, Math.floor(cacheBytesLeft / 4)));
      const level = new LevelDatabase<Uint8Array, Uint8Array>(location, {
        ...VIEW,
        compression: true,
        multithreading: true,
        cacheSize,
        blockSize: BLOCK_BYTES,
        maxFileSize: FILE_BYTES_MAX,
        writeBufferSize: WRITE_BUFFER_BYTES,
        maxOpenFiles: OPEN_FILES_MAX,
      }) as Level;
      await level.open();
      cacheBytesLeft -= cacheSize;
      return levelStore(level, () => (cacheBytesLeft += cacheSize));
    },
    destroy: (location) => rm(location, { recursive: true, force: true }),
  };
}
