import type { Scratch, Searcher, SegmentView } from '@shoal/query';
import type { MultiOrdinals, OrdinalColumn } from '@shoal/segments';
import { roomForInts } from '../collect/growable.js';
import { type OrdinalSource, ordinalSource } from '../source/ordinal-source.js';
import { countMany, countMapped, gatherMany, gatherOrdinals } from './terms.kernel.js';

/** Documents and values of a column up to which its ordinals are kept unpacked with the searcher: 8 MB. */
const KEPT_MAX = 1 << 21;

/** Documents that a request must read at once to be worth unpacking the whole column. */
const DENSE_DOCS = 400;

/** Ordinals of a sealed segment, unpacked. */
interface KeptOrdinals {
  /** Where the values of each document start, and one more; null for one value a document. */
  readonly starts: Int32Array | null;
  /** With one value a document: by document, -1 for none. */
  readonly values: Int32Array;
}

/** An ordinal source that can count as well. */
export interface KeptOrdinalSource extends OrdinalSource {
  /** Counts the ordinals of documents, numbered by `map` when given. */
  count(docs: Int32Array, count: number, map: Int32Array | null, counts: Int32Array): void;
}

function unpackMany(column: OrdinalColumn, maxDoc: number): KeptOrdinals {
  const docs = new Int32Array(maxDoc);
  for (let doc = 0; doc < maxDoc; doc++) docs[doc] = doc;
  const out: MultiOrdinals = { starts: new Int32Array(maxDoc + 1), values: new Int32Array(column.valueCount) };
  column.readAll(docs, maxDoc, out);
  return { starts: out.starts.subarray(0, maxDoc + 1), values: out.values };
}

function unpack(column: OrdinalColumn, maxDoc: number): KeptOrdinals {
  if (!column.isSingleValued) return unpackMany(column, maxDoc);
  const values = new Int32Array(maxDoc);
  column.readRange(0, maxDoc, values);
  return { starts: null, values };
}

/** Ordinals of a field, read from unpacked columns that the searcher's cache keeps once a request reads many documents at a time. */
export function keptOrdinalSource(searcher: Searcher, field: string, scratch: Scratch | undefined): KeptOrdinalSource {
  const plain = ordinalSource(field, scratch);
  const multi: MultiOrdinals = { starts: new Int32Array(1), values: new Int32Array(0) };
  let single: Int32Array<ArrayBuffer> = new Int32Array(0);
  let view: SegmentView | null = null;
  let kept: KeptOrdinals | null = null;
  const find = (count: number): KeptOrdinals | null => {
    const { column } = plain;
    if (kept || !column || !view || count < DENSE_DOCS || column.ranks() !== null) return kept;
    const { id, maxDoc } = view.reader;
    if (maxDoc + column.valueCount > KEPT_MAX) return null;
    return (kept = searcher.cache.get(`values/${field}/${id}`, () => {
      const value = unpack(column, maxDoc);
      return { value, bytes: value.values.byteLength + (value.starts?.byteLength ?? 0) };
    }));
  };
  return {
    segment(next) {
      view = next;
      kept = null;
      plain.segment(next);
    },
    get column() {
      return plain.column;
    },
    get isSingle() {
      return plain.isSingle;
    },
    read(docs, count) {
      const own = find(count);
      if (!own || own.starts) return plain.read(docs, count);
      single = roomForInts(single, count, scratch);
      gatherOrdinals(own.values, docs, count, single);
      return single;
    },
    readAll(docs, count) {
      const own = find(count);
      if (!own?.starts) return plain.readAll(docs, count);
      gatherMany(own.starts, own.values, docs, count, multi);
      return multi;
    },
    count(docs, count, map, counts) {
      const own = find(count);
      if (own?.starts) return countMany(own.starts, own.values, docs, count, map, counts);
      if (plain.isSingle) return countMapped(this.read(docs, count), count, map, counts);
      const { starts, values } = plain.readAll(docs, count);
      countMapped(values, starts[count]!, map, counts);
    },
  };
}
