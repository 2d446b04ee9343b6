import type { Scratch, Searcher, SegmentView } from '@shoal/query';
import type { Counts } from '../collect/counts.js';
import type { MultiOrdinals, OrdinalColumn } from '@shoal/segments';
import { roomForInts } from '../collect/growable.js';
import { type OrdinalSource, ordinalSource } from '../source/ordinal-source.js';
import { countMany, countMapped, gatherMany, gatherOrdinals } from './terms.kernel.js';

/** Limit for documents and for values of a column that is cached unpacked: 8 MB of ordinals. */
const UNPACKED_MAX = 1 << 21;

/** Documents that a request must read in one window to make unpacking the whole column worthwhile. */
const DENSE_DOCS = 400;

/** All ordinals of a column of a sealed segment, in plain arrays. */
interface UnpackedOrdinals {
  /** With several values a document: `maxDoc + 1` offsets into `values`. Null with one value a document. */
  readonly starts: Int32Array | null;
  /** The values; with one value a document indexed by document, -1 for none. */
  readonly values: Int32Array;
}

/** Reads the ordinals of a field, and counts them without copying. */
export interface CountingOrdinalSource extends OrdinalSource {
  /** Counts the ordinals of documents in `counts`, mapped to global ordinals by `map` (null: as they are). */
  count(docs: Int32Array, count: number, map: Int32Array | null, counts: Counts): void;
  /**
   * The ordinals of the segment by document, -1 for none; null where the column is not kept unpacked. `count` is the
   * number of documents that will be read.
   */
  unpacked(count: number): Int32Array | null;
}

function unpackMany(column: OrdinalColumn, maxDoc: number): UnpackedOrdinals {
  const docs = new Int32Array(maxDoc);
  for (let doc = 0; doc < maxDoc; doc++) docs[doc] = doc;
  const out: MultiOrdinals = { starts: new Int32Array(maxDoc + 1), values: new Int32Array(column.valueCount) };
  column.readAll(docs, maxDoc, out);
  return { starts: out.starts.subarray(0, maxDoc + 1), values: out.values };
}

function unpack(column: OrdinalColumn, maxDoc: number): UnpackedOrdinals {
  if (!column.isSingleValued) return unpackMany(column, maxDoc);
  const values = new Int32Array(maxDoc);
  column.readRange(0, maxDoc, values);
  return { starts: null, values };
}

class UnpackedColumn implements CountingOrdinalSource {
  readonly #searcher: Searcher;
  readonly #field: string;
  readonly #scratch: Scratch | undefined;
  readonly #plain: OrdinalSource;
  readonly #multi: MultiOrdinals = { starts: new Int32Array(1), values: NO_ORDINALS };
  #single: Int32Array<ArrayBuffer> = NO_ORDINALS;
  #view: SegmentView | null = null;
  #kept: UnpackedOrdinals | null = null;

  constructor(searcher: Searcher, field: string, scratch: Scratch | undefined) {
    this.#searcher = searcher;
    this.#field = field;
    this.#scratch = scratch;
    this.#plain = ordinalSource(field, scratch);
  }

  segment(view: SegmentView): void {
    this.#view = view;
    this.#kept = null;
    this.#plain.segment(view);
  }

  get column(): OrdinalColumn | null {
    return this.#plain.column;
  }

  get isSingle(): boolean {
    return this.#plain.isSingle;
  }

  #find(count: number): UnpackedOrdinals | null {
    const { column } = this.#plain;
    const view = this.#view;
    if (this.#kept || !column || !view || count < DENSE_DOCS || column.ranks() !== null) return this.#kept;
    const { id, maxDoc } = view.reader;
    if (maxDoc + column.valueCount > UNPACKED_MAX) return null;
    return (this.#kept = this.#searcher.cache.get(`values/${this.#field}/${id}`, () => {
      const value = unpack(column, maxDoc);
      return { value, bytes: value.values.byteLength + (value.starts?.byteLength ?? 0) };
    }));
  }

  read(docs: Int32Array, count: number): Int32Array {
    const own = this.#find(count);
    if (!own || own.starts) return this.#plain.read(docs, count);
    const single = (this.#single = roomForInts(this.#single, count, this.#scratch));
    gatherOrdinals(own.values, docs, count, single);
    return single;
  }

  unpacked(count: number): Int32Array | null {
    const own = this.#find(count);
    return own && own.starts === null ? own.values : null;
  }

  readAll(docs: Int32Array, count: number): MultiOrdinals {
    const own = this.#find(count);
    if (!own?.starts) return this.#plain.readAll(docs, count);
    gatherMany(own.starts, own.values, docs, count, this.#multi);
    return this.#multi;
  }

  count(docs: Int32Array, count: number, map: Int32Array | null, counts: Counts): void {
    const own = this.#find(count);
    if (own?.starts) return countMany(own.starts, own.values, docs, count, map, counts);
    if (this.#plain.isSingle) return countMapped(this.read(docs, count), count, map, counts);
    const { starts, values } = this.#plain.readAll(docs, count);
    countMapped(values, starts[count]!, map, counts);
  }
}

const NO_ORDINALS = new Int32Array(0);

/**
 * Reads the ordinals of a field. Once a request reads many documents at a time, columns are unpacked and kept in the
 * cache of the searcher.
 */
export function countingOrdinalSource(
  searcher: Searcher,
  field: string,
  scratch: Scratch | undefined,
): CountingOrdinalSource {
  return new UnpackedColumn(searcher, field, scratch);
}
