/** A file of a snapshot that is in the store of a mounted copy. */
export interface CachedFile {
  /** Bytes of its values before the store compresses them. */
  readonly bytes: number;
  /** Number of requests that need it; while there are any it stays. */
  pins: number;
  /** Removes it from its store. */
  readonly drop: () => void;
}

/** What the cache did since the process started, for `_searchable_snapshots/cache/stats`. */
export interface FileCacheStats {
  reads: number;
  bytesRead: number;
  writes: number;
  bytesWritten: number;
  evictions: number;
}

/**
 * Which files of snapshots the mounted copies of a thread have on disk, within a limit in bytes; the least recently
 * used ones go first.
 */
export class FileCache {
  readonly bytesMax: number;
  /** Name among the caches of the node. */
  readonly id: string;
  readonly stats: FileCacheStats = { reads: 0, bytesRead: 0, writes: 0, bytesWritten: 0, evictions: 0 };
  /** In order of use, the least recently used first. */
  readonly #files = new Set<CachedFile>();
  #bytes = 0;

  constructor(bytesMax: number, id = '0') {
    this.bytesMax = bytesMax;
    this.id = id;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get count(): number {
    return this.#files.size;
  }

  touch(file: CachedFile): void {
    if (!this.#files.delete(file)) return;
    this.#files.add(file);
  }

  /** Makes room for `bytes` more by dropping files that no request needs. Returns false if that is not enough. */
  makeRoom(bytes: number): boolean {
    for (const file of this.#files) {
      if (this.#bytes + bytes <= this.bytesMax) return true;
      if (file.pins > 0) continue;
      this.#evict(file);
    }
    return this.#bytes + bytes <= this.bytesMax;
  }

  add(file: CachedFile): void {
    this.#files.add(file);
    this.#bytes += file.bytes;
  }

  /** Forgets a file, without dropping it. */
  forget(file: CachedFile): void {
    if (this.#files.delete(file)) this.#bytes -= file.bytes;
  }

  #evict(file: CachedFile): void {
    this.forget(file);
    this.stats.evictions++;
    file.drop();
  }
}
