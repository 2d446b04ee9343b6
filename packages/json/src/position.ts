/** Line and column in a text, both counted from 1, as Elasticsearch reports them. */
export interface TextPosition {
  readonly line: number;
  readonly col: number;
}

/** Line and column of a byte offset; columns count bytes. */
export function positionAt(bytes: Uint8Array, offset: number): TextPosition {
  let line = 1;
  let lineStart = 0;
  for (let i = 0; i < offset && i < bytes.length; i++) {
    if (bytes[i] === 0x0a) {
      line++;
      lineStart = i + 1;
    }
  }
  return { line, col: offset - lineStart + 1 };
}
