import type { Files } from '@shoal/doors';
import { encodeJson, encodeUtf8 } from '../json-bytes.js';
import { newestCatalog, readCatalog, writeCatalog } from './catalog.js';
import type { SnapshotInfo } from './snapshot-info.js';

/** Repositories whose catalog is kept in memory, and the largest catalog that is, in bytes as written. */
const REPOSITORIES_MAX = 8;
const CATALOG_BYTES_MAX = 16 << 20;

interface WrittenCatalog {
  readonly number: number;
  readonly snapshots: readonly SnapshotInfo[];
}

/**
 * The catalogs that this node wrote last, by the folder of the repository. With 1,000 snapshots a change reads and
 * parses megabytes twice, and encodes them again, for one snapshot more. A catalog is not read again while the folder
 * has none of a higher number: only the master that begins a change gets its number, so nobody else writes under it.
 */
export class WrittenCatalogs {
  readonly #last = new Map<string, WrittenCatalog>();
  /** Snapshots as JSON; they do not change once they are in a catalog. */
  readonly #texts = new WeakMap<SnapshotInfo, Uint8Array>();

  /** As `readCatalog`. */
  async read(files: Files, folder: string): Promise<readonly SnapshotInfo[]> {
    const last = this.#last.get(folder);
    if (last !== undefined && last.number === (await newestCatalog(files, folder))) return last.snapshots;
    return readCatalog(files, folder);
  }

  /** As `writeCatalog`. */
  async write(files: Files, folder: string, number: number, snapshots: readonly SnapshotInfo[]): Promise<void> {
    // If the write fails, it is unknown which of two catalogs of this number the folder has.
    this.#last.delete(folder);
    const list = this.#encode(snapshots);
    await writeCatalog(files, folder, number, list);
    if (list.length > CATALOG_BYTES_MAX) return;
    this.#last.set(folder, { number, snapshots });
    const [oldest] = this.#last.keys();
    if (this.#last.size > REPOSITORIES_MAX) this.#last.delete(oldest!);
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
