import {
  type NumberColumn,
  type PostingsCursor,
  type SegmentReader,
  type TermsReader,
  WINDOW_DOCS,
} from '@shoal/segments';
import type { SearcherCache } from '../searcher.js';
import { BatchValues } from './batch-values.js';

/** Memory that stays for the next request; more is left to the collector of garbage. */
const IDLE_BYTES_MAX = 2 << 20;
/** Sizes are powers of two from 1 KB to 256 KB; what is larger is not kept. */
const SIZE_LOG_MIN = 10;
const SIZE_LOG_MAX = 18;
/** Cursors over postings that stay, and about what each holds. */
const CURSORS_MAX = 64;
const CURSOR_BYTES = 3072;

/** Buffers that earlier requests gave back, by the logarithm of their size, and cursors. */
export interface IdleBuffers {
  bytes: number;
  readonly bySize: ArrayBuffer[][];
  readonly cursors: PostingsCursor[];
}

/**
 * Readers of columns that are shared at a time: each has decoded values of its own, and a request looks at one segment
 * after another.
 */
const COLUMNS_MAX = 64;

/** A reader of a column that all parts of a request share. */
interface SharedColumn {
  readonly reader: SegmentReader;
  readonly field: string;
  readonly column: NumberColumn | null;
}

/** Nothing given back yet. */
export function idleBuffers(): IdleBuffers {
  return { bytes: 0, bySize: [], cursors: [] };
}

/**
 * Arrays for one request, taken from those that earlier requests gave back: fresh ones of this size lie outside the
 * heap and make for full collections.
 */
export class Scratch {
  readonly #idle: IdleBuffers;
  /**
   * Of what was lent only as much as may stay idle: a request with many clauses and segments needs most of its arrays
   * for a moment.
   */
  readonly #lent: ArrayBuffer[] = [];
  #lentBytes = 0;
  readonly #cursors: PostingsCursor[] = [];
  readonly #columns: SharedColumn[] = [];
  readonly batch = new BatchValues(() => this.numbers(WINDOW_DOCS));

  constructor(idle: IdleBuffers = idleBuffers()) {
    this.#idle = idle;
  }

  #buffer(bytes: number): ArrayBuffer {
    const log = Math.max(SIZE_LOG_MIN, 32 - Math.clz32(bytes - 1));
    const size = 2 ** log;
    if (log > SIZE_LOG_MAX) return new ArrayBuffer(bytes);
    let buffer = this.#idle.bySize[log]?.pop();
    if (buffer === undefined) buffer = new ArrayBuffer(size);
    else this.#idle.bytes -= size;
    if (this.#lentBytes + size <= IDLE_BYTES_MAX) {
      this.#lent.push(buffer);
      this.#lentBytes += size;
    }
    return buffer;
  }

  /** WINDOW_DOCS zeros, until `release`. */
  doubles(): Float64Array<ArrayBuffer> {
    return new Float64Array(this.#buffer(WINDOW_DOCS * 8)).fill(0);
  }

  /** At least `length` integers, holding anything, until `release`. */
  ints(length: number): Int32Array<ArrayBuffer> {
    return new Int32Array(this.#buffer(length * 4));
  }

  /** At least `length` doubles, holding anything, until `release`. */
  numbers(length: number): Float64Array<ArrayBuffer> {
    return new Float64Array(this.#buffer(length * 8));
  }

  /** At least `length` floats, holding anything, until `release`. */
  floats(length: number): Float32Array<ArrayBuffer> {
    return new Float32Array(this.#buffer(length * 4));
  }

  /** One bit for each document of a window, none set, until `release`. */
  words(): Int32Array<ArrayBuffer> {
    return new Int32Array(this.#buffer(WINDOW_DOCS / 8), 0, WINDOW_DOCS / 32).fill(0);
  }

  /** A byte for each document of a window, all 0, until `release`. */
  counts(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#buffer(WINDOW_DOCS)).fill(0);
  }

  /** Postings of a term, until `release`. */
  postings(terms: TermsReader, ordinal: number): PostingsCursor {
    const cursor = terms.postings(ordinal, this.#idle.cursors.pop());
    if (cursor.park !== undefined && this.#cursors.length < CURSORS_MAX) this.#cursors.push(cursor);
    return cursor;
  }

  /** The numbers of a field of a segment: one reader for all parts of the request that look at it at the time. */
  column(reader: SegmentReader, field: string): NumberColumn | null {
    for (const one of this.#columns) if (one.reader === reader && one.field === field) return one.column;
    const column = reader.numbers(field);
    if (this.#columns.length === COLUMNS_MAX) this.#columns.shift();
    this.#columns.push({ reader, field, column });
    return column;
  }

  /** Ends the request: nothing it borrowed may be used any more. */
  release(): void {
    const idle = this.#idle;
    for (const buffer of this.#lent) {
      if (idle.bytes + buffer.byteLength > IDLE_BYTES_MAX) break;
      idle.bytes += buffer.byteLength;
      (idle.bySize[31 - Math.clz32(buffer.byteLength)] ??= []).push(buffer);
    }
    this.#lent.length = 0;
    this.#lentBytes = 0;
    for (const cursor of this.#cursors) {
      if (idle.cursors.length === CURSORS_MAX) break;
      cursor.park!();
      idle.cursors.push(cursor);
    }
    this.#cursors.length = 0;
    this.#columns.length = 0;
  }
}

/** Scratch space for one request on a searcher. */
export function requestScratch(cache: SearcherCache): Scratch {
  return new Scratch(
    cache.get<IdleBuffers>('scratch', () => ({
      value: idleBuffers(),
      bytes: IDLE_BYTES_MAX + CURSORS_MAX * CURSOR_BYTES,
    })),
  );
}

/** The numbers of a field of a segment, by the reader of the request where there is one. */
export function columnOf(reader: SegmentReader, field: string, scratch: Scratch | undefined): NumberColumn | null {
  return scratch === undefined ? reader.numbers(field) : scratch.column(reader, field);
}

/** Postings of a term, lent by `scratch` where there is one. */
export function postingsOf(terms: TermsReader, ordinal: number, scratch: Scratch | undefined): PostingsCursor {
  return scratch === undefined ? terms.postings(ordinal) : scratch.postings(terms, ordinal);
}
