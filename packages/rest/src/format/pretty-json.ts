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

export function endOfScalar(bytes: Uint8Array, start: number): number {
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

export function nextToken(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at]! <= 0x20) at++;
  return at;
}

/** A large answer that is written in turns of the thread. */
export interface LayoutWriter {
  /** Writes the next `tokens` tokens; false when the text is at its end. */
  advance(tokens: number): boolean;
  /** The bytes, when `advance` has returned false. */
  bytes(): Buffer;
}

/**
 * Formats a JSON text for `?pretty`: two spaces, ` : `, `[ ]` and `{ }` for empty ones, a newline at the end. Numbers
 * and strings are not changed.
 */
export function prettyWriter(bytes: Uint8Array): LayoutWriter {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const written: Buffer[] = [];
  let parts: string[] = [];
  let depth = 0;
  let at = nextToken(source, 0);
  const newline = (): void => void parts.push('\n', '  '.repeat(depth));
  const open = (byte: number): number => {
    const inner = nextToken(source, at + 1);
    if (source[inner] === byte + 2) {
      parts.push(byte === BRACE_OPEN ? '{ }' : '[ ]');
      return inner + 1;
    }
    parts.push(byte === BRACE_OPEN ? '{' : '[');
    depth++;
    newline();
    return at + 1;
  };
  const close = (byte: number): void => {
    depth--;
    newline();
    parts.push(byte === BRACE_CLOSE ? '}' : ']');
  };
  const token = (): number => {
    const byte = source[at]!;
    if (byte === BRACE_OPEN || byte === BRACKET_OPEN) return open(byte);
    if (byte === BRACE_CLOSE || byte === BRACKET_CLOSE) close(byte);
    else if (byte === COMMA) {
      parts.push(',');
      newline();
    } else if (byte === COLON) parts.push(' : ');
    else {
      const end = endOfScalar(source, at);
      parts.push(source.toString('utf8', at, end));
      return end;
    }
    return at + 1;
  };
  return {
    advance(tokens) {
      for (let i = 0; i < tokens && at < source.length; i++) at = nextToken(source, token());
      if (at >= source.length) parts.push('\n');
      written.push(Buffer.from(parts.join('')));
      parts = [];
      return at < source.length;
    },
    bytes: () => (written.length === 1 ? written[0]! : Buffer.concat(written)),
  };
}

/** `prettyWriter` at once. */
export function prettyJson(bytes: Uint8Array): Buffer {
  const writer = prettyWriter(bytes);
  writer.advance(Infinity);
  return writer.bytes();
}
