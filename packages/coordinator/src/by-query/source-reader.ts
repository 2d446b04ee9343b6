import { readSource } from '@shoal/json';

/** The source of a document as it is kept. */
export class SourceText {
  readonly bytes: Uint8Array;

  /** `bytes` is JSON of an object. */
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** Parses it: each call gives an object of its own. */
  read(): Record<string, unknown> {
    return readSource(this.bytes);
  }
}

/** A document that the query found. */
export interface SourceHit {
  readonly index: string;
  readonly id: string;
  readonly routing: string | null;
  readonly version: number;
  readonly seqNo: number;
  readonly primaryTerm: number;
  readonly source: SourceText | null;
}

export interface SourcePage {
  readonly hits: readonly SourceHit[];
  /** Matches of the query; null behind the first page. */
  readonly total: number | null;
  /** Bytes of the sources; Infinity if nobody knows. */
  readonly bytes: number;
  /** Where the next page begins; null for an empty page. */
  readonly after: readonly unknown[] | null;
}

/** Reads the documents of a call page by page, as they were at one point in time. */
export interface SourceReader {
  /**
   * Reads `size` documents of a slice, behind those of the page before. The point in time is kept for `waitMs` longer
   * than usual: the throttle lets the next page wait so long.
   */
  page(
    slice: { readonly id: number; readonly max: number } | null,
    after: readonly unknown[] | null,
    size: number,
    waitMs?: number,
  ): Promise<SourcePage>;
  close(): Promise<void>;
}
