const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Walks newline-terminated lines of a body. */
export interface LineReader {
  /** Number of the line that `next` returned last, from 1. */
  readonly lineNumber: number;
  /** The next line without its line end, or null at the end. A rest without newline is not a line. */
  next(): Buffer | null;
  /**
   * Goes to the next line, which is from `start` to `end` without its line end, and makes no view of it; false at the
   * end.
   */
  advance(): boolean;
  readonly start: number;
  readonly end: number;
  /** The line that `advance` went to. */
  view(): Buffer;
  /** Where the next line begins. */
  readonly at: number;
  /** Bytes after the last newline. */
  readonly rest: number;
}

class Lines implements LineReader {
  readonly #buffer: Buffer;
  #at: number;
  start = 0;
  end = 0;
  lineNumber = 0;

  constructor(bytes: Uint8Array, from: number) {
    this.#buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#at = from;
  }

  get at(): number {
    return this.#at;
  }

  advance(): boolean {
    const buffer = this.#buffer;
    const start = this.#at;
    const newline = buffer.indexOf(NEWLINE, start);
    if (newline === -1) return false;
    this.start = start;
    this.#at = newline + 1;
    this.end = newline > start && buffer[newline - 1] === CARRIAGE_RETURN ? newline - 1 : newline;
    this.lineNumber++;
    return true;
  }

  view(): Buffer {
    return this.#buffer.subarray(this.start, this.end);
  }

  next(): Buffer | null {
    return this.advance() ? this.view() : null;
  }

  get rest(): number {
    return this.#buffer.length - this.#at;
  }
}

/** Lines as views of `bytes` from a position on, counted from there; nothing is copied. */
export function readLines(bytes: Uint8Array, from = 0): LineReader {
  return new Lines(bytes, from);
}
