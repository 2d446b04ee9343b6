import type { Searcher, SegmentView } from '@shoal/query';

/** Documents that a window has at most. */
const WINDOW = 4096;

function keepLive({ live }: SegmentView, docs: Int32Array): number {
  let size = 0;
  for (const doc of docs) if (live === null || live.get(doc)) docs[size++] = doc;
  return size;
}

/**
 * Visits all documents of a segment in windows, deleted ones too, as Elasticsearch does for `min_doc_count: 0`. If
 * document-level security hides documents from the caller, only visible live documents are visited.
 */
export function eachWindow(
  { hidesDocuments }: Searcher,
  view: SegmentView,
  visit: (docs: Int32Array, count: number) => void,
): void {
  eachPlainWindow(view, (docs, count) => visit(docs, hidesDocuments === true ? keepLive(view, docs) : count));
}

/** Visits all documents of a segment in windows, deleted ones too. */
export function eachPlainWindow(view: SegmentView, visit: (docs: Int32Array, count: number) => void): void {
  for (let from = 0; from < view.maxDoc; from += WINDOW) {
    const docs = Int32Array.from({ length: Math.min(WINDOW, view.maxDoc - from) }, (_, i) => from + i);
    visit(docs, docs.length);
  }
}

/** Visits the live root documents of a segment in windows. */
export function eachRootWindow(view: SegmentView, visit: (docs: Int32Array, count: number) => void): void {
  eachPlainWindow(view, (docs, count) => visit(docs, keepLiveRoots(view, docs, count)));
}

/** Keeps the live root documents among `docs` at its beginning, and returns their number. */
export function keepLiveRoots({ live, reader: { roots } }: SegmentView, docs: Int32Array, count: number): number {
  let size = 0;
  for (let i = 0; i < count; i++) {
    const doc = docs[i]!;
    if ((live === null || live.get(doc)) && (roots === null || roots.get(doc))) docs[size++] = doc;
  }
  return size;
}
