const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Walks newline-terminated lines of a body. */
export interface LineReader {
  /** Number of the line that `next` returned last, from 1. */
  readonly lineNumber: number;
  /** The next line without its line end, or null at the end. A rest without newline is not a line. */
  next(): Buffer | null;
  /** Goes to the next line, which is from `start` to `end` without its line end, and makes no view of it; false at the end. */
  advance(): boolean;
  readonly start: number;
  readonly end: number;
  /** The line that `advance` went to. */
  view(): Buffer;
  /** Bytes after the last newline. */
  readonly rest: number;
}

/** Lines as views of `bytes`, nothing is copied. */
export function readLines(bytes: Uint8Array): LineReader {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = 0;
  let start = 0;
  let end = 0;
  let lineNumber = 0;
  const advance = (): boolean => {
    const newline = buffer.indexOf(NEWLINE, at);
    if (newline === -1) return false;
    start = at;
    at = newline + 1;
    end = newline > start && buffer[newline - 1] === CARRIAGE_RETURN ? newline - 1 : newline;
    lineNumber++;
    return true;
  };
  const view = (): Buffer => buffer.subarray(start, end);
  return {
    advance,
    view,
    next: () => (advance() ? view() : null),
    get start() {
      return start;
    },
    get end() {
      return end;
    },
    get lineNumber() {
      return lineNumber;
    },
    get rest() {
      return buffer.length - at;
    },
  };
}
