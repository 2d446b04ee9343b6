const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Reads the newline-terminated lines of a body. */
export interface LineReader {
  /** Number of the line that was read last, from 1. */
  readonly lineNumber: number;
  /** Returns the next line without its line end; null at the end. Bytes after the last newline are not a line. */
  next(): Buffer | null;
  /**
   * Moves to the next line without making a view: it is from `start` to `end`, without its line end. Returns false at
   * the end.
   */
  advance(): boolean;
  readonly start: number;
  readonly end: number;
  /** Returns a view of the line that `advance` moved to. */
  view(): Buffer;
  /** Offset of the next line. */
  readonly at: number;
  /** Number of bytes after the last newline. */
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

/** Reads lines as views of `bytes` from an offset on; line numbers count from there. */
export function readLines(bytes: Uint8Array, from = 0): LineReader {
  return new Lines(bytes, from);
}
