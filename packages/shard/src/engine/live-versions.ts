import { textHash } from '../buffer/hash-slots.kernel.js';
import { addId, findId, idIndex, idIndexBytes } from './id-index.kernel.js';

/** Sequence number, version and documents of the newest operation of an id. */
export interface VersionSlot {
  readonly seqNo: number;
  readonly primaryTerm: number;
  readonly version: number;
  readonly firstDoc: number;
  readonly doc: number;
}

const FIELDS = 5;
const INITIAL_SLOTS = 64;
/** In place of a sequence number: the id was deleted. */
const GONE = -1;

/**
 * Newest operation of each id in one buffer. Columns instead of an object for each id, to spare the garbage collector.
 */
export class LiveVersions {
  readonly #ids = idIndex();
  #columns = new Float64Array(INITIAL_SLOTS * FIELDS);

  /** Memory in use, in bytes. */
  get memoryBytes(): number {
    return this.#columns.byteLength + idIndexBytes(this.#ids);
  }

  put(id: string, seqNo: number, primaryTerm: number, version: number, firstDoc: number, doc: number): void {
    const hash = textHash(id);
    let slot = findId(this.#ids, id, hash);
    if (slot < 0) slot = addId(this.#ids, id, hash);
    const at = slot * FIELDS;
    if (at === this.#columns.length) this.#grow();
    this.#columns[at] = seqNo;
    this.#columns[at + 1] = primaryTerm;
    this.#columns[at + 2] = version;
    this.#columns[at + 3] = firstDoc;
    this.#columns[at + 4] = doc;
  }

  get(id: string): VersionSlot | undefined {
    const slot = findId(this.#ids, id, textHash(id));
    if (slot < 0) return undefined;
    const columns = this.#columns;
    const at = slot * FIELDS;
    if (columns[at] === GONE) return undefined;
    return {
      seqNo: columns[at]!,
      primaryTerm: columns[at + 1]!,
      version: columns[at + 2]!,
      firstDoc: columns[at + 3]!,
      doc: columns[at + 4]!,
    };
  }

  delete(id: string): void {
    const slot = findId(this.#ids, id, textHash(id));
    if (slot >= 0) this.#columns[slot * FIELDS] = GONE;
  }

  #grow(): void {
    const grown = new Float64Array(this.#columns.length * 2);
    grown.set(this.#columns);
    this.#columns = grown;
  }
}
