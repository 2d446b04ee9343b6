import type { MultiNumbers, MultiOrdinals } from './segment-reader.js';

/** An empty target for `NumberColumn.readAll`. */
export const multiNumbers = (): MultiNumbers => ({ starts: new Int32Array(64), values: new Float64Array(64) });

/** An empty target for `OrdinalColumn.readAll`. */
export const multiOrdinals = (): MultiOrdinals => ({ starts: new Int32Array(64), values: new Int32Array(64) });

/** Makes room for the starts of `docCount` documents and returns the array; its old content is lost. */
export function reserveStarts(out: { starts: Int32Array }, docCount: number): Int32Array {
  if (out.starts.length <= docCount) out.starts = new Int32Array(Math.max(docCount + 1, out.starts.length * 2));
  return out.starts;
}

/** Makes room for `valueCount` numbers and returns the array with its old content. */
export function reserveNumbers(out: MultiNumbers, valueCount: number): Float64Array {
  if (out.values.length < valueCount) {
    const grown = new Float64Array(Math.max(valueCount, out.values.length * 2));
    grown.set(out.values);
    out.values = grown;
  }
  return out.values;
}

/** Makes room for `valueCount` ordinals and returns the array with its old content. */
export function reserveOrdinals(out: MultiOrdinals, valueCount: number): Int32Array {
  if (out.values.length < valueCount) {
    const grown = new Int32Array(Math.max(valueCount, out.values.length * 2));
    grown.set(out.values);
    out.values = grown;
  }
  return out.values;
}
