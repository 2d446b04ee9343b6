import {
  type NumberColumn,
  type PostingsCursor,
  type SegmentReader,
  type TermsReader,
  WINDOW_DOCS,
} from '@shoal/segments';
import type { SearcherCache } from '../searcher.js';
import { BatchValues } from './batch-values.js';

/** Limit in bytes for buffers kept for later requests; more are left to the garbage collector. */
const IDLE_BYTES_MAX = 2 << 20;
/** Buffer sizes are powers of two from 1 KB to 256 KB; larger buffers are not kept. */
const SIZE_LOG_MIN = 10;
const SIZE_LOG_MAX = 18;
/** Limit for posting cursors kept for later requests, and about how many bytes each holds. */
const CURSORS_MAX = 64;
const CURSOR_BYTES = 3072;

/** Buffers that earlier requests returned, by the logarithm of their size, and cursors. */
export interface IdleBuffers {
  bytes: number;
  readonly bySize: ArrayBuffer[][];
  readonly cursors: PostingsCursor[];
}

/**
 * Limit for the column readers that a request shares. Each has decoded values of its own; a request reads one segment
 * after another, so old readers can be dropped.
 */
const COLUMNS_MAX = 64;

/** A column reader that all parts of a request share. */
interface SharedColumn {
  readonly reader: SegmentReader;
  readonly field: string;
  readonly column: NumberColumn | null;
}

/** Returns an empty pool. */
export function idleBuffers(): IdleBuffers {
  return { bytes: 0, bySize: [], cursors: [] };
}

/**
 * Arrays and cursors that one request borrows from a pool and returns at its end. New arrays of this size lie outside
 * of the V8 heap and trigger full collections.
 */
export class Scratch {
  readonly #idle: IdleBuffers;
  /**
   * Borrowed buffers to return. No more than the idle limit are remembered: a request with many clauses and segments
   * uses most of its arrays only for a moment.
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

  /** Returns WINDOW_DOCS zeros, valid until `release`. */
  doubles(): Float64Array<ArrayBuffer> {
    return new Float64Array(this.#buffer(WINDOW_DOCS * 8)).fill(0);
  }

  /** Returns at least `length` integers with undefined content, valid until `release`. */
  ints(length: number): Int32Array<ArrayBuffer> {
    return new Int32Array(this.#buffer(length * 4));
  }

  /** Returns at least `length` doubles with undefined content, valid until `release`. */
  numbers(length: number): Float64Array<ArrayBuffer> {
    return new Float64Array(this.#buffer(length * 8));
  }

  /** Returns at least `length` floats with undefined content, valid until `release`. */
  floats(length: number): Float32Array<ArrayBuffer> {
    return new Float32Array(this.#buffer(length * 4));
  }

  /** Returns one cleared bit for each document of a window, valid until `release`. */
  words(): Int32Array<ArrayBuffer> {
    return new Int32Array(this.#buffer(WINDOW_DOCS / 8), 0, WINDOW_DOCS / 32).fill(0);
  }

  /** Returns one zero byte for each document of a window, valid until `release`. */
  counts(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#buffer(WINDOW_DOCS)).fill(0);
  }

  /** Returns a cursor over the postings of a term, valid until `release`. */
  postings(terms: TermsReader, ordinal: number): PostingsCursor {
    const cursor = terms.postings(ordinal, this.#idle.cursors.pop());
    if (cursor.park !== undefined && this.#cursors.length < CURSORS_MAX) this.#cursors.push(cursor);
    return cursor;
  }

  /**
   * Returns the numbers of a field of a segment, or null. All parts of the request share one reader for each column.
   */
  column(reader: SegmentReader, field: string): NumberColumn | null {
    for (const one of this.#columns) if (one.reader === reader && one.field === field) return one.column;
    const column = reader.numbers(field);
    if (this.#columns.length === COLUMNS_MAX) this.#columns.shift();
    this.#columns.push({ reader, field, column });
    return column;
  }

  /** Ends the request: returns the borrowed memory to the pool. No borrowed array or cursor may be used afterwards. */
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

/** Returns the scratch space of one request, over the pool in the searcher's cache. */
export function requestScratch(cache: SearcherCache): Scratch {
  return new Scratch(
    cache.get<IdleBuffers>('scratch', () => ({
      value: idleBuffers(),
      bytes: IDLE_BYTES_MAX + CURSORS_MAX * CURSOR_BYTES,
    })),
  );
}

/** Returns the numbers of a field of a segment, by the request's shared reader if there is a `scratch`. */
export function columnOf(reader: SegmentReader, field: string, scratch: Scratch | undefined): NumberColumn | null {
  return scratch === undefined ? reader.numbers(field) : scratch.column(reader, field);
}

/** Returns a cursor over the postings of a term, borrowed from `scratch` if there is one. */
export function postingsOf(terms: TermsReader, ordinal: number, scratch: Scratch | undefined): PostingsCursor {
  return scratch === undefined ? terms.postings(ordinal) : scratch.postings(terms, ordinal);
}
