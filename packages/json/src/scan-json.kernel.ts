/** What `scanJson` returns of text that is nested too deeply or has a long integer. */
export const SCAN_BEYOND = -1;
/** Set in what `scanJson` returns of text with a byte that is no ASCII. */
export const SCAN_NOT_ASCII = 1 << 30;

/**
 * One pass over JSON text: counts colons outside strings (= keys), and looks for nesting beyond `depthMax`, for runs of
 * more than `digitsMax` digits that are no fraction, and for bytes that are no ASCII. One number, since an array for
 * several costs more than a third of a small document's scan. Validates nothing: what it says of malformed text is
 * meaningless, and such text fails in the parser that follows. About 0.9 ns a byte (`npm run bench json`), so that a
 * duplicate key or a long integer costs the strict parser only when there is one.
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
        // Of what follows a backslash only ASCII is valid, so a byte beyond fails in the parser.
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
  if (deepest > depthMax || longest > digitsMax) return SCAN_BEYOND;
  return seen < 0x80 ? keys : keys | SCAN_NOT_ASCII;
}

/** Index after the JSON value that starts at `from` (no leading white space). For valid JSON only. */
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

/** Index after the string whose opening quote is at `from`. */
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

/** First index >= `from` that is no white space. */
export function skipSpace(bytes: Uint8Array, from: number): number {
  let i = from;
  while (i < bytes.length && bytes[i]! <= 0x20) i++;
  return i;
}
