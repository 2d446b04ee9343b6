import { growPairs, place, PROBES_MAX } from '../buffer/hash-slots.kernel.js';

const INITIAL_SLOTS = 64;
const INITIAL_BYTES = 1024;
/** Byte before the two bytes of a UTF-16 unit above 0xfe. */
const WIDE = 0xff;

/**
 * Numbers of ids, counted from 0 in order of arrival: open addressing over pairs (number + 1, hash), at most half of
 * the slots taken. Texts are bytes in one array: strings would live as long as the index, and the garbage collector
 * would copy each until it is old.
 */
export interface IdIndex {
  pairs: Int32Array;
  count: number;
  texts: Uint8Array;
  /** Start of each id's text; one entry more than there are ids. */
  starts: Int32Array;
  readonly overflow: Map<string, number>;
}

/** Returns an index without ids. */
export const idIndex = (): IdIndex => ({
  pairs: new Int32Array(2 * INITIAL_SLOTS),
  count: 0,
  texts: new Uint8Array(INITIAL_BYTES),
  starts: new Int32Array(INITIAL_SLOTS),
  overflow: new Map(),
});

function isText(texts: Uint8Array, start: number, end: number, id: string): boolean {
  let at = start;
  for (let i = 0; i < id.length; i++) {
    const unit = id.charCodeAt(i);
    if (unit < WIDE) {
      if (texts[at++] !== unit) return false;
    } else {
      if (texts[at] !== WIDE || texts[at + 1] !== unit >>> 8 || texts[at + 2] !== (unit & 0xff)) return false;
      at += 3;
    }
  }
  return at === end;
}

/** Returns the number of an id, or -1. `hash` is its `textHash`. */
export function findId({ pairs, texts, starts, overflow }: IdIndex, id: string, hash: number): number {
  const mask = pairs.length - 1;
  let at = (hash << 1) & mask;
  for (let probe = 0; probe < PROBES_MAX; probe++) {
    const entry = pairs[at]!;
    if (entry === 0) break;
    if (pairs[at + 1] === hash && isText(texts, starts[entry - 1]!, starts[entry]!, id)) return entry - 1;
    at = (at + 2) & mask;
  }
  // A free slot does not rule out the map: the table may have grown since the id was put there.
  return overflow.size === 0 ? -1 : (overflow.get(id) ?? -1);
}

function textAt({ texts, starts }: IdIndex, number: number): string {
  let text = '';
  for (let at = starts[number]!; at < starts[number + 1]!; at++) {
    if (texts[at] !== WIDE) text += String.fromCharCode(texts[at]!);
    else {
      text += String.fromCharCode((texts[at + 1]! << 8) | texts[at + 2]!);
      at += 2;
    }
  }
  return text;
}

function appendText(index: IdIndex, id: string): void {
  let end = index.starts[index.count]!;
  if (end + 3 * id.length > index.texts.length) {
    const grown = new Uint8Array(Math.max(index.texts.length * 2, end + 3 * id.length));
    grown.set(index.texts);
    index.texts = grown;
  }
  const { texts } = index;
  for (let i = 0; i < id.length; i++) {
    const unit = id.charCodeAt(i);
    if (unit < WIDE) texts[end++] = unit;
    else {
      texts[end++] = WIDE;
      texts[end++] = unit >>> 8;
      texts[end++] = unit & 0xff;
    }
  }
  if (index.count + 2 > index.starts.length) {
    const grown = new Int32Array(index.starts.length * 2);
    grown.set(index.starts);
    index.starts = grown;
  }
  index.starts[index.count + 1] = end;
}

/** Adds an id that `findId` does not find; returns its number. */
export function addId(index: IdIndex, id: string, hash: number): number {
  if ((index.count + 1) * 4 > index.pairs.length)
    index.pairs = growPairs(index.pairs, (entry) => index.overflow.set(textAt(index, entry - 1), entry - 1));
  appendText(index, id);
  const number = index.count++;
  if (!place(index.pairs, hash, index.count)) index.overflow.set(id, number);
  return number;
}

/** Estimated memory of an id in the overflow map, in bytes. */
const OVERFLOW_ENTRY_BYTES = 100;

/** Returns the memory of an index in bytes, estimated for its overflow map. */
export const idIndexBytes = ({ pairs, texts, starts, overflow }: IdIndex): number =>
  pairs.byteLength + texts.byteLength + starts.byteLength + overflow.size * OVERFLOW_ENTRY_BYTES;
