import { type BinaryColumn, WINDOW_DOCS } from '../segment-reader.js';
import type { CachedRuns } from './cached-runs.js';
import type { PartReader } from '../storage/part-reader.js';
import { NumberRuns } from './number-column.js';
import type { WindowDirectory } from './window-directory.js';
import { WindowPresence } from './window-presence.js';
import type { ColumnSummary } from './window-writer.js';

/** A column of byte strings. Its two planes have the address in the part 'binary' and the length of each string. */
export class SealedBinaryColumn implements BinaryColumn {
  readonly docsWithField: number;
  readonly valueCount: number;
  readonly isSingleValued: boolean;
  readonly #presence: WindowPresence;
  readonly #addresses: NumberRuns;
  readonly #lengths: NumberRuns;
  readonly #bytes: PartReader;

  constructor(
    summary: ColumnSummary,
    directory: WindowDirectory,
    columns: PartReader,
    bytes: PartReader,
    maxDoc: number,
    scratch: Int32Array,
    kept: CachedRuns<Float64Array<ArrayBuffer>>,
  ) {
    this.docsWithField = summary.docsWithField;
    this.valueCount = summary.valueCount;
    this.isSingleValued = summary.isSingleValued;
    this.#presence = new WindowPresence(directory, columns, maxDoc);
    this.#addresses = new NumberRuns(directory, columns, scratch, kept, 0, 2);
    this.#lengths = new NumberRuns(directory, columns, scratch, kept, 1, 2);
    this.#bytes = bytes;
  }

  nextDocWithField(target: number): number {
    return this.#presence.next(target);
  }

  get(doc: number): Uint8Array | null {
    const w = doc >>> 12;
    if (!this.#presence.locate(w, doc & (WINDOW_DOCS - 1))) return null;
    const value = this.#presence.from;
    return this.#bytes.stream({ address: this.#addresses.at(w, value), length: this.#lengths.at(w, value) });
  }
}
