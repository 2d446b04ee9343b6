const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Walks newline-terminated lines of a body. */
export interface LineReader {
  /** Number of the line that `next` returned last, from 1. */
  readonly lineNumber: number;
  /** The next line without its line end, or null at the end. A rest without newline is not a line. */
  next(): Buffer | null;
  /** Bytes after the last newline. */
  readonly rest: number;
}

/** Lines as views of `bytes`, nothing is copied. */
export function readLines(bytes: Uint8Array): LineReader {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = 0;
  let lineNumber = 0;
  return {
    next() {
      const end = buffer.indexOf(NEWLINE, at);
      if (end === -1) return null;
      const start = at;
      at = end + 1;
      lineNumber++;
      return buffer.subarray(start, end > start && buffer[end - 1] === CARRIAGE_RETURN ? end - 1 : end);
    },
    get lineNumber() {
      return lineNumber;
    },
    get rest() {
      return buffer.length - at;
    },
  };
}
