/**
 * Indexes into the output of `scanPlainAction`: offsets of the name of the index and of the id, -1 if the line does not
 * have it.
 */
export const PLACE = { indexStart: 0, indexEnd: 1, idStart: 2, idEnd: 3 } as const;
/** Length of the output of `scanPlainAction`. */
export const PLACES = 4;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const BRACE_END = 0x7d;
const COMMA = 0x2c;

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const HEADS = ['{"index":{', '{"create":{', '{"delete":{', '{"update":{'].map(bytesOf);
const INDEX_KEY = bytesOf('"_index":"');
const ID_KEY = bytesOf('"_id":"');

/** Actions by the return value of `scanPlainAction`. */
export const PLAIN_ACTIONS = ['index', 'create', 'delete', 'update'] as const;

function startsWith(bytes: Uint8Array, at: number, end: number, expected: Uint8Array): boolean {
  if (end - at < expected.length) return false;
  for (let i = 0; i < expected.length; i++) if (bytes[at + i] !== expected[i]) return false;
  return true;
}

/**
 * Returns the offset of the end of the string that starts at `at`; -1 if it has an escape or a byte outside ASCII, or
 * does not end.
 */
function plainTextEnd(bytes: Uint8Array, at: number, end: number): number {
  for (let i = at; i < end; i++) {
    const byte = bytes[i]!;
    if (byte === QUOTE) return i;
    if (byte === BACKSLASH || byte >= 0x80 || byte < 0x20) return -1;
  }
  return -1;
}

/**
 * Reads an action line as nearly all clients send it: an action with `_index`, `_id`, both in this order, or neither,
 * in ASCII, without escapes and white space. Returns the index of its action in PLAIN_ACTIONS; -1 for any other line,
 * which the full parser reads. Makes no views and strings, as otherwise a line costs as much as its document.
 */
export function scanPlainAction(bytes: Uint8Array, start: number, end: number, places: Int32Array): number {
  let action = 0;
  while (action < HEADS.length && !startsWith(bytes, start, end, HEADS[action]!)) action++;
  if (action === HEADS.length) return -1;
  places.fill(-1);
  let at = start + HEADS[action]!.length;
  if (startsWith(bytes, at, end, INDEX_KEY)) {
    places[PLACE.indexStart] = at + INDEX_KEY.length;
    const stop = plainTextEnd(bytes, at + INDEX_KEY.length, end);
    if (stop < 0) return -1;
    places[PLACE.indexEnd] = stop;
    at = stop + 1;
    if (bytes[at] === COMMA) at++;
    else if (bytes[at] !== BRACE_END) return -1;
  }
  if (startsWith(bytes, at, end, ID_KEY)) {
    places[PLACE.idStart] = at + ID_KEY.length;
    const stop = plainTextEnd(bytes, at + ID_KEY.length, end);
    if (stop < 0) return -1;
    places[PLACE.idEnd] = stop;
    at = stop + 1;
  }
  return at + 2 === end && bytes[at] === BRACE_END && bytes[at + 1] === BRACE_END && bytes[at - 1] !== COMMA
    ? action
    : -1;
}
