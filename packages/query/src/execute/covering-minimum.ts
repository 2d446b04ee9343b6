import { SegmentScript } from '../scripts/segment-script.js';
import type { SearchScript } from '../scripts/segment-script.js';
import type { Searcher, SegmentView } from '../searcher.js';

/** How many plans of a `terms_set` query a document has to match: a numeric field of it says, or a script. */
export type CoveringMinimum =
  | { readonly kind: 'field'; readonly field: string }
  | { readonly kind: 'script'; readonly script: SearchScript };

/** Writes the minimum of each document of a segment to `out`; NaN for a document that says none. */
export type ReadMinimum = (docs: Int32Array, count: number, out: Float64Array) => void;

/** Returns the reader of a segment; null if none of its documents says a minimum. */
export function minimumReader(minimum: CoveringMinimum, searcher: Searcher, segment: SegmentView): ReadMinimum | null {
  if (minimum.kind === 'field') {
    const column = segment.reader.numbers(minimum.field);
    if (column === null) return null;
    return (docs, count, out) => {
      column.read(docs, count, out);
      // 8.12 reads decimals as whole numbers.
      for (let i = 0; i < count; i++) out[i] = Math.trunc(out[i]!);
    };
  }
  const script = new SegmentScript(minimum.script, searcher, segment);
  const { live } = segment;
  return (docs, count, out) => {
    script.setWindow(docs.slice(0, count), count);
    // A script may fail for a document that is deleted.
    for (let i = 0; i < count; i++)
      out[i] = live === null || live.get(docs[i]!) ? Math.max(1, Math.trunc(Number(script.run(i)))) : Number.NaN;
  };
}
