import { type BreakList, breakList } from './break-list.js';
import { sentenceBreaks } from './sentence-breaks.js';
import { wordBreaks } from './word-breaks.js';

/** Finds the fragment around a match; must be called for matches in ascending order. */
export interface Fragmenter {
  around(start: number, end: number): { readonly start: number; readonly end: number };
}

/** Returns a fragmenter whose only fragment is the whole value. */
export function wholeFragmenter(text: string): Fragmenter {
  return { around: () => ({ start: 0, end: text.length }) };
}

/** Returns a fragmenter that cuts at boundaries of words or of sentences. */
export function plainFragmenter(text: string, kind: 'sentence' | 'word'): Fragmenter {
  const breaks = kind === 'word' ? breakList(() => wordBreaks(text)) : sentenceBreaks(text);
  return {
    around: (from, to) => {
      const offset = middleOf(from, to);
      return { start: Math.max(0, breaks.preceding(offset)), end: endOf(breaks.following(offset - 1), text) };
    },
  };
}

/** Returns the offset at which a fragment is searched: the middle of the match, but at least one behind its start. */
function middleOf(start: number, end: number): number {
  return Math.max(start + 1, (start + end) >> 1);
}

const endOf = (offset: number, text: string): number => (offset < 0 ? text.length : offset);

/**
 * Returns a fragmenter for sentences of about `size` characters. Short sentences are joined while they fit; long ones
 * are cut at words around the match. Rules of Elasticsearch's BoundedBreakIteratorScanner.
 */
export function boundedFragmenter(text: string, size: number): Fragmenter {
  return new BoundedFragmenter(text, size);
}

class BoundedFragmenter implements Fragmenter {
  readonly #text: string;
  readonly #size: number;
  readonly #sentences: BreakList;
  readonly #words: BreakList;
  #windowStart = -1;
  #windowEnd = -1;
  #start = -1;
  #end = 0;

  constructor(text: string, size: number) {
    this.#text = text;
    this.#size = size;
    this.#sentences = sentenceBreaks(text);
    this.#words = breakList(() => wordBreaks(text));
  }

  around(from: number, to: number): { start: number; end: number } {
    const offset = middleOf(from, to);
    if (offset > this.#windowStart && offset < this.#windowEnd) {
      this.#start = this.#end;
      this.#end = this.#windowEnd;
    } else this.#openWindow(offset);
    if (this.#end - this.#start > this.#size) this.#cut(offset);
    return { start: this.#start, end: this.#end };
  }

  #openWindow(offset: number): void {
    this.#windowStart = this.#start = Math.max(0, this.#sentences.preceding(offset));
    this.#windowEnd = this.#end = endOf(this.#sentences.following(offset - 1), this.#text);
    while (this.#end - this.#start < this.#size) {
      const next = this.#sentences.following(this.#end);
      if (next < 0 || next - this.#start > this.#size) break;
      this.#windowEnd = this.#end = next;
    }
  }

  /**
   * Cuts a sentence that is too long around `offset`: first on the left of the match, then the rest of the size on its
   * right.
   */
  #cut(offset: number): void {
    if (offset - this.#size > this.#start)
      this.#start = Math.max(this.#start, this.#words.preceding(offset - this.#size));
    const rest = Math.max(0, this.#size - (offset - this.#start));
    if (offset + rest < this.#windowEnd)
      this.#end = Math.min(this.#windowEnd, endOf(this.#words.following(offset + rest), this.#text));
  }
}
