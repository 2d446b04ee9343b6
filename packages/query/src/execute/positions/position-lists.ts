import { NO_MORE_DOCS, type PostingsCursor, type SegmentReader } from '@shoal/segments';

/** A stretch of positions: [start, end). `width` counts positions that none of its parts covers. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly width: number;
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
  #at = 0;
  #size = 0;

  constructor(cursor: PostingsCursor) {
    this.#cursor = cursor;
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
    const count = this.#cursor.positions(this.#at);
    const positions = this.#cursor.positionBuffer;
    return Array.from({ length: count }, (_, i) => ({ start: positions[i]!, end: positions[i]! + 1, width: 0 }));
  }
}

/** No spans anywhere. */
export const NO_SPANS: SpanSource = { cost: 0, next: () => NO_MORE_DOCS, spans: () => [] };

/** Returns the spans of a single term, from a segment or from one text. */
export type TermSource = (field: string, term: string) => SpanSource;

/** Spans of terms in a segment; none for a term that it does not have. */
export function segmentTerms(reader: SegmentReader): TermSource {
  return (field, term) => {
    const terms = reader.terms(field);
    const ordinal = terms?.lookup(term) ?? -1;
    return ordinal < 0 ? NO_SPANS : new TermSpans(terms!.postings(ordinal));
  };
}

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

/** Compares spans by start, then end. */
export function bySpan(a: Span, b: Span): number {
  return a.start - b.start || a.end - b.end;
}
