import type { SegmentView } from '@shoal/query';
import type { ColumnKind } from '@shoal/segments';
import { growInts } from '../collect/growable.js';
import { numberSource } from './number-source.js';
import { ordinalSource } from './ordinal-source.js';
import { holdsRanges, type ResolvedField } from './values-source.js';

/** Counts the values of each document of a window. */
export interface ValueCounts {
  segment(view: SegmentView): void;
  /** The array is valid until the next call. */
  counts(docs: Int32Array, count: number): Int32Array;
}

function startsToCounts(starts: Int32Array, count: number, out: Int32Array): Int32Array {
  for (let i = 0; i < count; i++) out[i] = starts[i + 1]! - starts[i]!;
  return out;
}

type Read = (docs: Int32Array, count: number, out: Int32Array) => Int32Array;

function numberCounts(field: ResolvedField): { segment(view: SegmentView): void; read: Read } {
  const source = numberSource(field.type, Number.NaN, undefined);
  return {
    segment: (view) => source.segment(view),
    read(docs, count, out) {
      if (!source.isSingle) return startsToCounts(source.readAll(docs, count).starts, count, out);
      const values = source.read(docs, count);
      for (let i = 0; i < count; i++) out[i] = values[i] === values[i] ? 1 : 0;
      return out;
    },
  };
}

function ordinalCounts(field: ResolvedField): { segment(view: SegmentView): void; read: Read } {
  const source = ordinalSource(field.type.name, undefined);
  // As in 8.12, all ranges of a document are one value.
  const isRange = holdsRanges(field.type);
  return {
    segment: (view) => source.segment(view),
    read(docs, count, out) {
      if (!source.isSingle && !isRange) return startsToCounts(source.readAll(docs, count).starts, count, out);
      const ordinals = source.read(docs, count);
      for (let i = 0; i < count; i++) out[i] = ordinals[i]! < 0 ? 0 : 1;
      return out;
    },
  };
}

function otherCounts(field: ResolvedField): { segment(view: SegmentView): void; read: Read } {
  const { name } = field.type;
  let view: SegmentView | null = null;
  const lats = { starts: new Int32Array(1), values: new Float64Array(0) };
  const lons = { starts: new Int32Array(1), values: new Float64Array(0) };
  return {
    segment: (next) => void (view = next),
    read(docs, count, out) {
      const geo = view!.reader.geo(name);
      const binary = geo ? null : view!.reader.binary(name);
      const vectors = geo || binary ? null : view!.reader.vectors(name);
      if (geo) {
        geo.readAll(docs, count, lats, lons);
        return startsToCounts(lats.starts, count, out);
      }
      for (let i = 0; i < count; i++) out[i] = binary?.get(docs[i]!) || (vectors?.rowOf(docs[i]!) ?? -1) >= 0 ? 1 : 0;
      return out;
    },
  };
}

const BY_COLUMN: Readonly<
  Record<ColumnKind, (field: ResolvedField) => { segment(view: SegmentView): void; read: Read }>
> = {
  long: numberCounts,
  double: numberCounts,
  ordinals: ordinalCounts,
  geo: otherCounts,
  binary: otherCounts,
  vectors: otherCounts,
};

/** Makes the counter for a field of any type; null (unmapped) has no values. */
export function valueCounts(field: ResolvedField | null): ValueCounts {
  const source = field ? BY_COLUMN[field.column](field) : null;
  let out: Int32Array<ArrayBuffer> = new Int32Array(0);
  return {
    segment: (view) => source?.segment(view),
    counts(docs, count) {
      out = growInts(out, count);
      return source ? source.read(docs, count, out) : out.fill(0, 0, count);
    },
  };
}
