/**
 * Returned by `scanJson` for text that is nested too deeply or has a long integer: only the strict parser may read it.
 */
export const SCAN_NEEDS_STRICT = -1;
/** Flag in the result of `scanJson`: the text has a byte that is not ASCII. */
export const SCAN_NOT_ASCII = 1 << 30;

/**
 * Counts the keys of JSON text (colons outside strings) in one pass over bytes [from, to). Returns the count, with
 * `SCAN_NOT_ASCII` set if a byte is not ASCII. Returns `SCAN_NEEDS_STRICT` if the nesting exceeds `depthMax`, or if a
 * run of digits that is no fraction exceeds `digitsMax`.
 *
 * If `JSON.parse` yields fewer keys than this count, the text has duplicate keys; so the slow strict parser is used
 * only for text that needs it. Validates nothing: for malformed text the result is meaningless, and the parser that
 * follows refuses the text. About 0.9 ns a byte (`npm run bench json`). The result is one number, because allocating an
 * array would add a third to the scan of a small document.
 */
export function scanJson(bytes: Uint8Array, from: number, to: number, depthMax: number, digitsMax: number): number {
  let keys = 0;
  let depth = 0;
  let deepest = 0;
  let longest = 0;
  let seen = 0;
  let i = from;
  while (i < to) {
    const byte = bytes[i++]!;
    seen |= byte;
    if (byte === 0x22) {
      while (i < to) {
        const inner = bytes[i++]!;
        seen |= inner;
        if (inner === 0x22) break;
        // After a backslash only ASCII is valid: any other byte fails in the parser, so it need not be looked at.
        if (inner === 0x5c) i++;
      }
    } else if (byte === 0x3a) {
      keys++;
    } else if (byte >= 0x30 && byte <= 0x39) {
      const start = i;
      while (i < to && bytes[i]! >= 0x30 && bytes[i]! <= 0x39) i++;
      if (i - start >= longest && bytes[start - 2] !== 0x2e) longest = i - start + 1;
    } else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > deepest) deepest = depth;
    } else if (byte === 0x7d || byte === 0x5d) {
      depth--;
    }
  }
  if (deepest > depthMax || longest > digitsMax) return SCAN_NEEDS_STRICT;
  return seen < 0x80 ? keys : keys | SCAN_NOT_ASCII;
}

/** Index after the JSON value that starts at `from`, without leading white space. For valid JSON only. */
export function skipValue(bytes: Uint8Array, from: number): number {
  const end = bytes.length;
  const first = bytes[from]!;
  let i = from + 1;
  if (first === 0x22) return skipString(bytes, from);
  if (first !== 0x7b && first !== 0x5b) {
    while (i < end) {
      const byte = bytes[i]!;
      if (byte === 0x2c || byte === 0x7d || byte === 0x5d || byte <= 0x20) break;
      i++;
    }
    return i;
  }
  let depth = 1;
  while (i < end) {
    const byte = bytes[i++]!;
    if (byte === 0x22) {
      while (i < end) {
        const inner = bytes[i++]!;
        if (inner === 0x22) break;
        if (inner === 0x5c) i++;
      }
    } else if (byte === 0x7b || byte === 0x5b) {
      depth++;
    } else if ((byte === 0x7d || byte === 0x5d) && --depth === 0) {
      return i;
    }
  }
  return end;
}

/** Index after the closing quote of the string whose opening quote is at `from`. For valid JSON only. */
export function skipString(bytes: Uint8Array, from: number): number {
  const end = bytes.length;
  let i = from + 1;
  while (i < end) {
    const byte = bytes[i++]!;
    if (byte === 0x22) return i;
    if (byte === 0x5c) i++;
  }
  return end;
}

/** Index of the first byte from `from` on that is not white space. */
export function skipSpace(bytes: Uint8Array, from: number): number {
  let i = from;
  while (i < bytes.length && bytes[i]! <= 0x20) i++;
  return i;
}
