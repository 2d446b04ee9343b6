import { errors } from '@shoal/errors';
import { NO_MORE_DOCS, type PostingsCursor, type SegmentReader } from '@shoal/segments';

/** A stretch of positions: [start, end). `width` counts positions that none of its parts covers. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly width: number;
  /** Positions that count as covered where the stretch is a part of a larger one; its length if absent. */
  readonly covered?: number;
}

/** Returns how many positions a stretch covers as a part of a larger one. */
export function coveredBy(span: Span): number {
  return span.covered ?? span.end - span.start;
}

/** Spans in the documents of a segment, for a term or a combination of terms. */
export interface SpanSource {
  readonly cost: number;
  /** The smallest document >= target that may have spans. */
  next(target: number): number;
  /**
   * Returns the spans in a document, ordered by start, then end; none if the source does not match the document.
   * Documents rise over calls of `next` and `spans`.
   */
  spans(doc: number): readonly Span[];
}

/** The positions of one term. */
export class TermSpans implements SpanSource {
  readonly cost: number;
  readonly #cursor: PostingsCursor;
  readonly #last: LastSpans;
  #at = 0;
  #size = 0;

  /** `last` is shared by all sources of one term, so that its positions in a document are read once. */
  constructor(cursor: PostingsCursor, last: LastSpans) {
    this.#cursor = cursor;
    this.#last = last;
    this.cost = cursor.docFreq;
  }

  next(target: number): number {
    if (this.#size === -1) return NO_MORE_DOCS;
    if (this.#size === 0 || this.#cursor.docs[this.#size - 1]! < target) {
      this.#size = this.#cursor.advanceBlock(target);
      this.#at = 0;
      if (this.#size === 0) {
        this.#size = -1;
        return NO_MORE_DOCS;
      }
    }
    while (this.#cursor.docs[this.#at]! < target) this.#at++;
    return this.#cursor.docs[this.#at]!;
  }

  spans(doc: number): readonly Span[] {
    if (this.next(doc) !== doc) return [];
    if (this.#last.doc !== doc) this.#read(doc);
    return this.#last.spans;
  }

  #read(doc: number): void {
    const count = this.#cursor.positions(this.#at);
    const positions = this.#cursor.positionBuffer;
    const spans: Span[] = [];
    for (let i = 0; i < count; i++) spans.push({ start: positions[i]!, end: positions[i]! + 1, width: 0 });
    this.#last.doc = doc;
    this.#last.spans = spans;
  }
}

/** The spans of a term in the document in which they were last read. */
interface LastSpans {
  doc: number;
  spans: readonly Span[];
}

/** No spans anywhere. */
export const NO_SPANS: SpanSource = { cost: 0, next: () => NO_MORE_DOCS, spans: () => [] };

/** Returns the spans of a single term, from a segment or from one text. */
export type TermSource = (field: string, term: string) => SpanSource;

/** Spans of terms in a segment; none for a term that it does not have. */
export function segmentTerms(reader: SegmentReader): TermSource {
  const read = new Map<string, LastSpans>();
  return (field, term) => {
    const terms = reader.terms(field);
    const ordinal = terms?.lookup(term) ?? -1;
    if (ordinal < 0) return NO_SPANS;
    if (!terms!.layout.positions) throw withoutPositions(field, term);
    reader.notePostings?.(field, 'positions');
    const key = `${field}\0${ordinal}`;
    let last = read.get(key);
    if (last === undefined) read.set(key, (last = { doc: -1, spans: [] }));
    return new TermSpans(terms!.postings(ordinal), last);
  };
}

const withoutPositions = (field: string, term: string): Error =>
  errors.refusedState(`field "${field}" was indexed without position data; cannot run SpanTermQuery (term=${term})`);

/** Returns a source of the documents that all `sources` may match; `spans` computes the spans of one. */
export function allOf(sources: readonly SpanSource[], spans: (doc: number) => readonly Span[]): SpanSource {
  const cost = Math.min(...sources.map((source) => source.cost));
  return { cost, next: (target) => conjunction(sources, target), spans };
}

function conjunction(sources: readonly SpanSource[], target: number): number {
  let doc = target;
  for (let i = 0; i < sources.length; ) {
    const found = sources[i]!.next(doc);
    if (found === NO_MORE_DOCS) return NO_MORE_DOCS;
    if (found === doc) i++;
    else {
      doc = found;
      i = 0;
    }
  }
  return doc;
}

/** Returns a source of the documents that any of `sources` may match; `spans` computes the spans of one. */
export function anyOf(sources: readonly SpanSource[], spans: (doc: number) => readonly Span[]): SpanSource {
  const cost = sources.reduce((sum, source) => sum + source.cost, 0);
  return {
    cost,
    next: (target) => sources.reduce((least, source) => Math.min(least, source.next(target)), NO_MORE_DOCS),
    spans,
  };
}

/** Returns the index of the first of `spans` that begins at `start` or behind it; their number if none does. */
export function firstFrom(spans: readonly Span[], start: number): number {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (spans[middle]!.start < start) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Compares spans by start, then end. */
export function bySpan(a: Span, b: Span): number {
  return a.start - b.start || a.end - b.end;
}
