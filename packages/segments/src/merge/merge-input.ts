import { type BitSet, type FieldLayout, type SegmentReader, WINDOW_DOCS } from '../segment-reader.js';

/** A segment to merge: its first `maxDoc` documents, of which those in `live` (null: all) stay. */
export interface MergeInput {
  readonly reader: SegmentReader;
  readonly live: BitSet | null;
  readonly maxDoc: number;
}

/** An input with the new numbers of its documents, -1 for those that go. */
export interface MappedInput extends MergeInput {
  readonly docMap: Int32Array;
  /** New number of the first document when all stay; then `docMap[i]` is `base + i`. */
  readonly base: number;
  readonly isWhole: boolean;
}

/** Numbers the documents of the new segment: inputs one after the other, documents in their order. */
export function mapDocuments(inputs: readonly MergeInput[]): {
  readonly mapped: readonly MappedInput[];
  readonly maxDoc: number;
} {
  let next = 0;
  const mapped = inputs.map((input) => {
    const base = next;
    const docMap = new Int32Array(input.maxDoc);
    for (let doc = 0; doc < input.maxDoc; doc++) docMap[doc] = input.live === null || input.live.get(doc) ? next++ : -1;
    return { ...input, docMap, base, isWhole: next - base === input.maxDoc };
  });
  return { mapped, maxDoc: next };
}

function joinLayouts(a: FieldLayout, b: FieldLayout): FieldLayout {
  const terms =
    a.terms === null || b.terms === null
      ? (a.terms ?? b.terms)
      : {
          freqs: a.terms.freqs && b.terms.freqs,
          positions: a.terms.positions && b.terms.positions,
          norms: a.terms.norms && b.terms.norms,
        };
  return { name: a.name, terms, column: a.column ?? b.column, points: a.points || b.points };
}

/**
 * Fields of all inputs, each with what the new segment keeps of it: what all inputs that have its terms keep of them.
 */
export function joinFields(inputs: readonly MergeInput[]): FieldLayout[] {
  const layouts = new Map<string, FieldLayout>();
  for (const { reader } of inputs) {
    for (const name of reader.fields) {
      const layout = reader.layout(name)!;
      const known = layouts.get(name);
      layouts.set(name, known === undefined ? layout : joinLayouts(known, layout));
    }
  }
  return [...layouts.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Live documents of [from, from + WINDOW_DOCS) into `docs`; returns how many. */
export function liveWindow(input: MappedInput, from: number, docs: Int32Array): number {
  const to = Math.min(from + WINDOW_DOCS, input.maxDoc);
  let count = 0;
  for (let doc = from; doc < to; doc++) if (input.docMap[doc]! >= 0) docs[count++] = doc;
  return count;
}
