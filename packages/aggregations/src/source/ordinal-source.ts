import type { MultiOrdinals, OrdinalColumn } from '@shoal/segments';
import type { Scratch, SegmentView } from '@shoal/query';
import { roomForInts } from '../collect/growable.js';
import { isContiguous } from './read.kernel.js';

/** Ordinals of one field, segment by segment. Arrays it gives are its own, valid until the next call. */
export interface OrdinalSource {
  segment(view: SegmentView): void;
  readonly column: OrdinalColumn | null;
  readonly isSingle: boolean;
  /** Smallest-term ordinal of each document in its segment, -1 for none. */
  read(docs: Int32Array, count: number): Int32Array;
  readAll(docs: Int32Array, count: number): MultiOrdinals;
}

/** The ordinals of `field`; with `scratch` arrays are borrowed. */
export function ordinalSource(field: string, scratch: Scratch | undefined): OrdinalSource {
  const multi: MultiOrdinals = { starts: new Int32Array(1), values: new Int32Array(0) };
  let single: Int32Array<ArrayBuffer> = new Int32Array(0);
  let column: OrdinalColumn | null = null;
  return {
    segment(view) {
      column = view.reader.ordinals(field);
    },
    get column() {
      return column;
    },
    get isSingle() {
      return column === null || column.isSingleValued;
    },
    read(docs, count) {
      single = roomForInts(single, count, scratch);
      if (!column) single.fill(-1, 0, count);
      else if (isContiguous(docs, count)) column.readRange(docs[0]!, docs[0]! + count, single);
      else column.read(docs, count, single);
      return single;
    },
    readAll(docs, count) {
      if (column) column.readAll(docs, count, multi);
      else multi.starts = new Int32Array(count + 1);
      return multi;
    },
  };
}
