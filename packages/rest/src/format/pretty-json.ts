const BRACE_OPEN = 0x7b;
const BRACE_CLOSE = 0x7d;
const BRACKET_OPEN = 0x5b;
const BRACKET_CLOSE = 0x5d;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;

/** Index after the string that begins at `start`. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at + 1;
}

function endOfScalar(bytes: Uint8Array, start: number): number {
  if (bytes[start] === QUOTE) return endOfString(bytes, start);
  let at = start;
  while (at < bytes.length && !isPunctuation(bytes[at]!) && bytes[at]! > 0x20) at++;
  return at;
}

function isPunctuation(byte: number): boolean {
  return (
    byte === COMMA ||
    byte === BRACE_CLOSE ||
    byte === BRACKET_CLOSE ||
    byte === COLON ||
    byte === BRACE_OPEN ||
    byte === BRACKET_OPEN
  );
}

function nextToken(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at]! <= 0x20) at++;
  return at;
}

/**
 * Formats a JSON text for `?pretty`: two spaces, ` : `, `[ ]` and `{ }` for empty ones, a newline at the end. Numbers
 * and strings are not changed.
 */
export function prettyJson(bytes: Uint8Array): Buffer {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const parts: string[] = [];
  let depth = 0;
  const newline = (): void => void parts.push('\n', '  '.repeat(depth));
  for (let at = nextToken(source, 0); at < source.length; at = nextToken(source, at)) {
    const byte = source[at]!;
    if (byte === BRACE_OPEN || byte === BRACKET_OPEN) {
      const close = byte + 2;
      const inner = nextToken(source, at + 1);
      if (source[inner] === close) {
        parts.push(byte === BRACE_OPEN ? '{ }' : '[ ]');
        at = inner + 1;
        continue;
      }
      parts.push(byte === BRACE_OPEN ? '{' : '[');
      depth++;
      newline();
      at++;
    } else if (byte === BRACE_CLOSE || byte === BRACKET_CLOSE) {
      depth--;
      newline();
      parts.push(byte === BRACE_CLOSE ? '}' : ']');
      at++;
    } else if (byte === COMMA) {
      parts.push(',');
      newline();
      at++;
    } else if (byte === COLON) {
      parts.push(' : ');
      at++;
    } else {
      const end = endOfScalar(source, at);
      parts.push(source.toString('utf8', at, end));
      at = end;
    }
  }
  parts.push('\n');
  return Buffer.from(parts.join(''));
}
