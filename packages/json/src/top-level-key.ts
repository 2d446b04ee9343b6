import { skipSpace, skipString, skipValue } from './scan-json.kernel.js';

const [BRACE, QUOTE, COLON, COMMA] = [0x7b, 0x22, 0x3a, 0x2c];

/**
 * Whether the object that JSON text consists of has one of `names` as a key; names with escapes are not recognized.
 * For text that is no JSON object the result means nothing, but it comes. About 1 ns a byte.
 */
export function hasTopLevelKey(bytes: Uint8Array, names: readonly string[]): boolean {
  let at = skipSpace(bytes, 0);
  if (bytes[at] !== BRACE) return false;
  const keys = names.map((name) => Buffer.from(name));
  for (at = skipSpace(bytes, at + 1); bytes[at] === QUOTE; at = skipSpace(bytes, at + 1)) {
    const end = skipString(bytes, at);
    if (keys.some((key) => isAt(bytes, at + 1, end - 1, key))) return true;
    at = skipSpace(bytes, end);
    if (bytes[at] !== COLON) return false;
    at = skipSpace(bytes, skipValue(bytes, skipSpace(bytes, at + 1)));
    if (bytes[at] !== COMMA) return false;
  }
  return false;
}

function isAt(bytes: Uint8Array, from: number, to: number, key: Uint8Array): boolean {
  if (to - from !== key.length) return false;
  for (let i = 0; i < key.length; i++) if (bytes[from + i] !== key[i]) return false;
  return true;
}
