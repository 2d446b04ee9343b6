import {
  type BitSet,
  type FieldLayout,
  type SegmentReader,
  type VectorLayout,
  WINDOW_DOCS,
} from '../segment-reader.js';

/**
 * A segment to merge: its first `maxDoc` documents, without those that `live` does not contain (null: all are live).
 */
export interface MergeInput {
  readonly reader: SegmentReader;
  readonly live: BitSet | null;
  readonly maxDoc: number;
}

/** An input with the new number of each of its documents; -1 for deleted documents. */
export interface MappedInput extends MergeInput {
  readonly docMap: Int32Array;
  /** New number of the first document. If all documents stay (`isWhole`), `docMap[i]` is `base + i`. */
  readonly base: number;
  readonly isWhole: boolean;
}

/** Numbers the documents of the new segment: the live documents of the first input, then of the second, and so on. */
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

/** Segments of older formats do not tell how graphs are made. */
function joinVectors(a: VectorLayout | undefined, b: VectorLayout | undefined): VectorLayout | undefined {
  return a === undefined || (a.graph === undefined && b?.graph !== undefined) ? b : a;
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
  const vectors = joinVectors(a.vectors, b.vectors);
  const column = vectors === undefined ? (a.column ?? b.column) : 'vectors';
  const layout = { name: a.name, terms, column, points: a.points || b.points };
  return vectors === undefined ? layout : { ...layout, vectors };
}

/**
 * Layouts of the fields of the new segment, for all fields of the inputs. Frequencies and positions are kept only if
 * every input with terms of the field has them.
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

/** Writes the live documents of [from, from + WINDOW_DOCS) to `docs`; returns their number. */
export function liveWindow(input: MappedInput, from: number, docs: Int32Array): number {
  const to = Math.min(from + WINDOW_DOCS, input.maxDoc);
  let count = 0;
  for (let doc = from; doc < to; doc++) if (input.docMap[doc]! >= 0) docs[count++] = doc;
  return count;
}
