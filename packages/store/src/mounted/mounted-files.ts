import { ByteReader, ByteWriter } from '@shoal/codec';
import { type BatchOperation, inTurns, type KeyValueStore } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { appendChecksum, verifyRecord } from '../level/checksum.js';
import { numberedKey, PRESENT_FILES, presentFileKey, presentFileOf, WHOLE_STORE } from '../level/keys.js';
import { isCorruption } from '../level/store-errors.js';
import type { CachedFile, FileCache, FileCacheStats } from './file-cache.js';
import type { FileLayout } from './file-layout.js';
import { SharedTurns } from './shared-turns.js';

/** Bytes of dropped files after which the store is compacted, which frees their space. */
const COMPACTED_BYTES = 64 * 1024 * 1024;
/** Files that are read at the same time for one request. */
const READS_MAX = 4;
/** Limit of the files that are read ahead of a missing one; a request begins with none and doubles. */
const READ_AHEAD_MAX = 8;

/** A piece of a file: number of a part and a chunk, or number of an operation and its record. */
export type FilePiece = readonly [number: number, bytes: Uint8Array];

/** Doors of the files of one mounted copy. */
export interface MountedFilesOptions {
  readonly layout: FileLayout;
  readonly cache: FileCache;
  /** Reads a file of the snapshot, verifies and unpacks it. Throws corrupt_index_exception with the file's name. */
  readonly read: (name: string) => Promise<readonly FilePiece[]>;
}

/** What a mounted copy has of its files, and what was read for it since it was opened. */
export interface MountedStats {
  readonly files: number;
  readonly presentFiles: number;
  readonly presentBytes: number;
  /** Files that were read from the repository, and their bytes. */
  readonly reads: number;
  readonly bytesRead: number;
  readonly cache: Readonly<FileCacheStats> & {
    readonly id: string;
    readonly bytesMax: number;
    readonly bytes: number;
    readonly files: number;
  };
}

/** What may have been missed by one attempt of a request. */
interface Misses {
  readonly files: Set<number>;
  /** Whether no other request can have missed them. */
  isOwn: boolean;
}

interface Attempt<T> {
  readonly result: { readonly value: T } | { readonly error: unknown };
  /** Files that it may have missed. */
  readonly missed: readonly number[];
  /** Those of them that no other request can have missed, or that its error tells. */
  readonly own: readonly number[];
}

/**
 * The files of a snapshot that the store of a mounted copy reads. Their values come into the store when a request needs
 * them, and leave it when the cache is full.
 *
 * A read that lacks a file throws. Reads block and files come from afar, so the request that read is run again once the
 * file is there (`run`).
 */
export class MountedFiles {
  readonly #options: MountedFilesOptions;
  readonly #present = new Map<number, CachedFile>();
  readonly #coming = new Map<number, Promise<void>>();
  /** The requests that are reading. */
  readonly #requests = new Set<Misses>();
  readonly #turns = new SharedTurns();
  /** Missed files by the errors that were thrown for them. */
  readonly #lackedBy = new WeakMap<object, number>();
  #store: (() => KeyValueStore) | null = null;
  #fail: (error: unknown) => void = () => undefined;
  #over: { readonly store: KeyValueStore; readonly reader: KeyValueStore } | null = null;
  /** Changes of the store, one after the other: a file may be dropped and come back. */
  #changes: Promise<unknown> = Promise.resolve();
  #droppedBytes = 0;
  #reads = 0;
  #bytesRead = 0;
  #lacked = 0;

  constructor(options: MountedFilesOptions) {
    this.#options = options;
  }

  /**
   * Begins with an open store, which `store` returns, and with the files that are in it. `fail` ends the store, which
   * takes no more writes after one has failed.
   */
  async begin(store: () => KeyValueStore, fail: (error: unknown) => void): Promise<void> {
    this.end();
    this.#store = store;
    this.#fail = fail;
    const { layout, cache } = this.#options;
    const surplus: number[] = [];
    for await (const [key, value] of store().entries(PRESENT_FILES)) {
      const file = presentFileOf(key);
      const bytes = new ByteReader(verifyRecord(key, value, `size of file [${file}]`)).varint();
      if (file < layout.names.length && cache.makeRoom(bytes)) this.#arrived(file, bytes);
      else surplus.push(file);
    }
    for (const file of surplus) await this.#remove(file, 0);
  }

  /** Ends with the store: its files no longer count. */
  end(): void {
    for (const file of this.#present.values()) this.#options.cache.forget(file);
    this.#present.clear();
    this.#store = null;
    this.#over = null;
  }

  /** Reads that lacked a file so far. What was computed while it grew may be without the values of that file. */
  get lacked(): number {
    return this.#lacked;
  }

  /** Counts of the files of the copy, and of the cache that it shares with other copies. */
  stats(): MountedStats {
    const { layout, cache } = this.#options;
    return {
      files: layout.names.length,
      presentFiles: this.#present.size,
      presentBytes: [...this.#present.values()].reduce((sum, { bytes }) => sum + bytes, 0),
      reads: this.#reads,
      bytesRead: this.#bytesRead,
      cache: { id: cache.id, bytesMax: cache.bytesMax, bytes: cache.bytes, files: cache.count, ...cache.stats },
    };
  }

  /** A handle that throws if a value is in a file that the store lacks. */
  over(store: KeyValueStore): KeyValueStore {
    if (this.#over?.store !== store) this.#over = { store, reader: { ...store, get: (key) => this.#get(store, key) } };
    return this.#over.reader;
  }

  #get(store: KeyValueStore, key: Uint8Array): Uint8Array | undefined {
    const file = this.#options.layout.fileOf(key);
    const value = store.get(key);
    const present = this.#present.get(file);
    if (present) this.#options.cache.touch(present);
    // A file counts from when its values are being written: those that are not there yet are missed like others.
    const isThere = present !== undefined && !this.#coming.has(file);
    if (file >= 0 && value === undefined && !isThere) this.#miss(file);
    return value;
  }

  #miss(file: number): never {
    this.#lacked++;
    for (const request of this.#requests) {
      request.files.add(file);
      if (this.#requests.size > 1) request.isOwn = false;
    }
    const name = this.#options.layout.names[file];
    const error = errors.illegalState(`file [${name}] of the snapshot is not on this node yet`);
    this.#lackedBy.set(error, file);
    throw error;
  }

  /**
   * Runs a request that only reads, again and again until it has all files that it needs; those that came stay until it
   * ends. `undo` takes back a result that is not returned, because parts of the request may have read on without a
   * file. Throws circuit_breaking_exception if the request needs more than the cache holds.
   *
   * A file that is missed while several requests read may be missed by any of them. Requests must not keep files that
   * others need, so an attempt whose result does not tell is made again with no other beside it.
   */
  async run<T>(work: () => Promise<T>, undo: (result: T) => void = () => undefined, signal?: AbortSignal): Promise<T> {
    const pinned = new Set<CachedFile>();
    let ahead = 0;
    let isAlone = false;
    try {
      for (;;) {
        const { result, missed, own }: Attempt<T> = await this.#attempt(work, isAlone);
        if (missed.length === 0) {
          if ('error' in result) throw result.error;
          return result.value;
        }
        if ('value' in result) undo(result.value);
        signal?.throwIfAborted();
        // From now on: it would meet others again.
        isAlone ||= own.length === 0;
        await this.#bring(own, pinned, signal);
        const isWhole = await this.#bringAhead(own, ahead, signal);
        ahead = isWhole ? Math.min(READ_AHEAD_MAX, Math.max(1, ahead * 2)) : 0;
      }
    } finally {
      for (const file of pinned) file.pins--;
    }
  }

  /** Runs a request once. */
  async #attempt<T>(work: () => Promise<T>, isAlone: boolean): Promise<Attempt<T>> {
    const leave = await this.#turns.enter(isAlone);
    const request: Misses = { files: new Set(), isOwn: true };
    this.#requests.add(request);
    const result = await work().then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    this.#requests.delete(request);
    leave();
    const missed = [...request.files];
    if (request.isOwn) return { result, missed, own: missed };
    const thrown = 'error' in result ? this.#lackedBy.get(result.error as object) : undefined;
    return { result, missed, own: thrown === undefined ? [] : [thrown] };
  }

  /** Brings files and pins them; when it ends or throws, none of them is pinned later. */
  async #bring(wanted: readonly number[], pinned: Set<CachedFile>, signal?: AbortSignal): Promise<void> {
    const failures: unknown[] = [];
    await inTurns(wanted, READS_MAX, async (file) => {
      if (failures.length > 0) return;
      try {
        signal?.throwIfAborted();
        await this.#fetch(file);
      } catch (error) {
        failures.push(error);
        return;
      }
      const present = this.#present.get(file);
      if (!present || pinned.has(present)) return;
      present.pins++;
      pinned.add(present);
    });
    if (failures.length > 0) throw failures[0];
  }

  /**
   * Brings files that follow those of a request. It may do without them: they are not pinned, and those that have no
   * room or cannot be read are left out. Returns whether all of them came.
   */
  async #bringAhead(wanted: readonly number[], count: number, signal?: AbortSignal): Promise<boolean> {
    const files = new Set(wanted.flatMap((file) => this.#options.layout.following(file, count)));
    let isWhole = true;
    await inTurns([...files], READS_MAX, async (file) => {
      if (!isWhole || signal?.aborted) return;
      await this.#fetch(file).catch(() => (isWhole = false));
    });
    return isWhole;
  }

  #fetch(file: number): Promise<void> {
    const coming = this.#coming.get(file);
    if (coming) return coming;
    if (this.#present.has(file)) return Promise.resolve();
    const loading = this.#load(file).finally(() => this.#coming.delete(file));
    this.#coming.set(file, loading);
    return loading;
  }

  async #load(file: number): Promise<void> {
    const { cache, layout, read } = this.#options;
    const pieces = await read(layout.names[file]!);
    const bytes = pieces.reduce((sum, [, piece]) => sum + piece.length, 0);
    this.#reads++;
    this.#bytesRead += bytes;
    cache.stats.reads++;
    cache.stats.bytesRead += bytes;
    if (!cache.makeRoom(bytes))
      throw errors.circuitBreaking(
        `running requests need more files of snapshots than the cache of [${cache.bytesMax}] bytes holds; ` +
          'see [xpack.searchable.snapshot.shared_cache.size]',
      );
    // Counted before it is written: others that arrive meanwhile must not take the same room.
    const present = this.#arrived(file, bytes);
    present.pins++;
    try {
      await this.#change((store) => store.batch(this.#operationsOf(file, pieces, bytes), { sync: false }));
      cache.stats.writes++;
      cache.stats.bytesWritten += bytes;
    } catch (error) {
      cache.forget(present);
      this.#present.delete(file);
      if (this.#store !== null && !isCorruption(error)) this.#fail(error);
      throw error;
    } finally {
      present.pins--;
    }
  }

  #operationsOf(file: number, pieces: readonly FilePiece[], bytes: number): BatchOperation[] {
    const { layout } = this.#options;
    const size = new ByteWriter(8);
    size.varint(bytes);
    const mark = presentFileKey(file);
    return [
      ...(layout.hasOperations(file) ? recordsOf(pieces) : this.#chunksOf(file, pieces)),
      { type: 'put', key: mark, value: appendChecksum(mark, size.finish()) },
    ];
  }

  #chunksOf(file: number, pieces: readonly FilePiece[]): BatchOperation[] {
    const keys = this.#options.layout.chunkKeys(file);
    if (keys.length !== pieces.length)
      throw errors.corruption(
        `file [${this.#options.layout.names[file]}] of the snapshot has other chunks than it should`,
      );
    return keys.map((key, i): BatchOperation => ({ type: 'put', key, value: appendChecksum(key, pieces[i]![1]) }));
  }

  #arrived(file: number, bytes: number): CachedFile {
    const entry: CachedFile = {
      bytes,
      pins: 0,
      drop: () => {
        this.#present.delete(file);
        void this.#remove(file, bytes).catch(() => undefined);
      },
    };
    this.#present.set(file, entry);
    this.#options.cache.add(entry);
    return entry;
  }

  #change(work: (store: KeyValueStore) => Promise<void>): Promise<void> {
    const next = this.#changes.then(() => {
      if (!this.#store) throw errors.noShardAvailable(null);
      return work(this.#store());
    });
    this.#changes = next.catch(() => undefined);
    return next;
  }

  /** Removes the values of a file; if that fails, the next open finds its mark and removes or counts it. */
  #remove(file: number, bytes: number): Promise<void> {
    return this.#change(async (store) => {
      const { layout } = this.#options;
      const isKnown = file < layout.names.length;
      const keys = !isKnown ? [] : layout.hasOperations(file) ? layout.operationKeys(file) : layout.chunkKeys(file);
      await store.batch(
        [...keys, presentFileKey(file)].map((key): BatchOperation => ({ type: 'del', key })),
        { sync: false },
      );
      this.#droppedBytes += bytes;
      if (this.#droppedBytes < COMPACTED_BYTES) return;
      this.#droppedBytes = 0;
      await store.compact(WHOLE_STORE);
    });
  }

  /** Drops all files that no request needs. */
  clear(): void {
    for (const file of [...this.#present.values()]) {
      if (file.pins > 0) continue;
      this.#options.cache.forget(file);
      file.drop();
    }
  }
}

function recordsOf(pieces: readonly FilePiece[]): BatchOperation[] {
  return pieces.map(([seqNo, value]): BatchOperation => {
    const key = numberedKey('operation', seqNo);
    verifyRecord(key, value, `operation [${seqNo}]`);
    return { type: 'put', key, value };
  });
}
