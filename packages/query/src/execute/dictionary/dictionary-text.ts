import type { FieldDictionary } from './searchable-terms.js';
import type { Searcher, SegmentView } from '../../searcher.js';

/** All terms of a sealed field concatenated in order. Automata and searches for substrings run over this text. */
export interface DictionaryText {
  readonly text: string;
  /** Term i is `text.slice(starts[i], starts[i + 1])`. */
  readonly starts: Int32Array;
  /** Characters that term i shares with term i - 1, never half of a surrogate pair; at most 255. */
  readonly shared: Uint8Array;
}

/** Larger dictionaries are read with a cursor instead of being kept as text. */
const DICTIONARY_TERMS_MAX = 2_000_000;

/**
 * Returns the terms of a sealed segment's field as text, cached with the searcher. Returns null for the buffer and for
 * dictionaries above DICTIONARY_TERMS_MAX.
 */
export function dictionaryText(
  searcher: Searcher,
  segment: SegmentView,
  field: string,
  terms: FieldDictionary,
): DictionaryText | null {
  if (terms.isInMemory === true || terms.termCount > DICTIONARY_TERMS_MAX) return null;
  return searcher.cache.get(`dictionary|${segment.reader.id}|${field}`, () => {
    const value = buildText(terms);
    return { value, bytes: value.text.length + value.starts.byteLength + value.shared.byteLength };
  });
}

function buildText(terms: FieldDictionary): DictionaryText {
  const starts = new Int32Array(terms.termCount + 1);
  const shared = new Uint8Array(terms.termCount);
  const all: string[] = [];
  const cursor = terms.cursor();
  let previous = '';
  let length = 0;
  while (cursor.next()) {
    const { term } = cursor;
    shared[all.length] = sharedPrefix(previous, term);
    all.push(term);
    length += term.length;
    starts[all.length] = length;
    previous = term;
  }
  return { text: all.join(''), starts, shared };
}

function sharedPrefix(a: string, b: string): number {
  const end = Math.min(a.length, b.length, 255);
  let i = 0;
  while (i < end && a.charCodeAt(i) === b.charCodeAt(i)) i++;
  return i > 0 && isHighSurrogate(a.charCodeAt(i - 1)) ? i - 1 : i;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}
