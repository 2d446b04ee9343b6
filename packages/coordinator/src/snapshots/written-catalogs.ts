import type { Files } from '@shoal/doors';
import { encodeJson, encodeUtf8 } from '../json-bytes.js';
import { hashOf, isCatalogOf, newestCatalog, readCatalog, readNumbered, writeCatalog } from './catalog.js';
import type { SnapshotInfo } from './snapshot-info.js';

/** Bytes of memory for each byte of a catalog as it was written: its text, and objects of about twice that size. */
const MEMORY_FACTOR = 3;

interface WrittenCatalog {
  readonly number: number;
  /** Of the list of snapshots, as it was written. */
  readonly hash: string;
  /** Bytes of memory. */
  readonly memoryBytes: number;
  readonly snapshots: readonly SnapshotInfo[];
}

/**
 * The catalogs that this node wrote last, by the folder of the repository. With 1,000 snapshots a change parses
 * megabytes twice, and encodes them again, for one snapshot more. A catalog is not parsed again while the folder has
 * none of a higher number, and the file still has the hash that was written: a file that was damaged meanwhile is
 * refused as if it had not been kept.
 */
export class WrittenCatalogs {
  readonly #memoryBytesMax: number;
  /** The catalog that was written last is the last one. */
  readonly #last = new Map<string, WrittenCatalog>();
  /** Snapshots as JSON; they do not change once they are in a catalog. */
  readonly #texts = new WeakMap<SnapshotInfo, Uint8Array>();

  /** Keeps catalogs in up to `memoryBytesMax` bytes of memory: those that were written last. */
  constructor(memoryBytesMax: number) {
    this.#memoryBytesMax = memoryBytesMax;
  }

  /** Bytes of memory that the kept catalogs take. */
  get memoryBytes(): number {
    let sum = 0;
    for (const { memoryBytes } of this.#last.values()) sum += memoryBytes;
    return sum;
  }

  /** As `readCatalog`. */
  async read(files: Files, folder: string): Promise<readonly SnapshotInfo[]> {
    const last = this.#last.get(folder);
    if (last !== undefined && (await isThere(files, folder, last))) return last.snapshots;
    return readCatalog(files, folder);
  }

  /**
   * As `writeCatalog`. A store may refuse an answer, or lose it, after it has written the file: what can be read again
   * was written. If it cannot be read either, the write is told as failed.
   */
  async write(files: Files, folder: string, number: number, snapshots: readonly SnapshotInfo[]): Promise<void> {
    // If the write fails, it is unknown which of two catalogs of this number the folder has.
    this.#last.delete(folder);
    const list = this.#encode(snapshots);
    const hash = hashOf(list);
    try {
      await writeCatalog(files, folder, number, list, hash);
    } catch (error) {
      if (!(await isThere(files, folder, { number, hash }).catch(() => false))) throw error;
    }
    const memoryBytes = list.length * MEMORY_FACTOR;
    if (memoryBytes > this.#memoryBytesMax) return;
    this.#last.set(folder, { number, hash, memoryBytes, snapshots });
    for (const [oldest] of this.#last) {
      if (this.memoryBytes <= this.#memoryBytesMax) break;
      this.#last.delete(oldest);
    }
  }

  #encode(snapshots: readonly SnapshotInfo[]): Uint8Array {
    const comma = encodeUtf8(',');
    const parts = snapshots.flatMap((info, i) => (i === 0 ? [this.#text(info)] : [comma, this.#text(info)]));
    return Buffer.concat([encodeUtf8('['), ...parts, encodeUtf8(']')]);
  }

  #text(info: SnapshotInfo): Uint8Array {
    let text = this.#texts.get(info);
    if (text === undefined) {
      text = encodeJson(info);
      this.#texts.set(info, text);
    }
    return text;
  }
}

/** Whether the newest catalog of a folder is the one that was written last, undamaged. */
async function isThere(
  files: Files,
  folder: string,
  { number, hash }: Pick<WrittenCatalog, 'number' | 'hash'>,
): Promise<boolean> {
  if ((await newestCatalog(files, folder)) !== number) return false;
  const bytes = await readNumbered(files, folder, number);
  return bytes !== null && isCatalogOf(bytes, hash);
}
