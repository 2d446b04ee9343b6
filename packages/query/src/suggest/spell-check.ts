import { compareTerms } from '@shoal/codec';
import { termFinder } from '../execute/dictionary/find-terms.js';
import { countTerm } from '../execute/statistics.js';
import type { Searcher } from '../searcher.js';
import { internalDistance, type StringDistance } from './string-distance.js';

/** Words to suggest for: missing from the index, only more frequent suggestions (popular), or always. */
export type SuggestMode = 'missing' | 'popular' | 'always';

/** Options of searching for similar words, with their names in the DSL. */
export interface SpellOptions {
  readonly suggestMode: SuggestMode;
  readonly accuracy: number;
  readonly maxEdits: number;
  readonly prefixLength: number;
  readonly minWordLength: number;
  readonly maxInspections: number;
  /** Smallest document frequency: below 1 a fraction of the documents, else a number of documents. */
  readonly minDocFreq: number;
  readonly maxTermFreq: number;
  readonly distance: StringDistance;
  /** Order in which the most similar words are kept. */
  readonly order: SpellOrder;
}

/** Compares words; the better one first. */
export type SpellOrder = (a: SimilarWord, b: SimilarWord) => number;

/** A term of the index that is similar to a given word. */
export interface SimilarWord {
  readonly text: string;
  readonly score: number;
  readonly freq: number;
}

/**
 * Returns the terms of a field most similar to `word`, in the order of the options; after Lucene's
 * DirectSpellChecker.
 */
export function similarWords(
  word: string,
  field: string,
  count: number,
  options: SpellOptions,
  searcher: Searcher,
): SimilarWord[] {
  if ([...word].length < options.minWordLength) return [];
  const freq = countTerm(searcher, field, word);
  if (options.suggestMode === 'missing' && freq > 0) return [];
  const { maxTermFreq } = options;
  if (freq > (maxTermFreq >= 1 ? maxTermFreq : Math.ceil(maxTermFreq * searcher.maxDoc))) return [];
  const above = threshold(options.suggestMode === 'popular' ? freq : 0, options.minDocFreq, searcher.maxDoc);
  const inspected = count * options.maxInspections;
  let found = inspect(word, field, 1, above, options, searcher, inspected);
  if (options.maxEdits > 1 && found.length < inspected)
    found = merge(found, inspect(word, field, options.maxEdits, above, options, searcher, inspected));
  return found.sort(options.order).slice(0, count);
}

function merge(first: SimilarWord[], second: SimilarWord[]): SimilarWord[] {
  return [...new Map([...first, ...second].map((word) => [word.text, word])).values()];
}

function threshold(freq: number, minDocFreq: number, maxDoc: number): number {
  if (minDocFreq >= 1) return Math.max(freq, minDocFreq);
  return minDocFreq > 0 ? Math.max(freq, Math.trunc(minDocFreq * maxDoc) - 1) : freq;
}

/** Compares by score, then by frequency, both descending, then by text. */
export function byScore(a: SimilarWord, b: SimilarWord): number {
  return b.score - a.score || b.freq - a.freq || compareTerms(a.text, b.text);
}

/** Compares by frequency, then by score, both descending, then by text. */
export function byFrequency(a: SimilarWord, b: SimilarWord): number {
  return b.freq - a.freq || byScore(a, b);
}

/** Returns up to `limit` terms within the edits: the most similar by edits, whatever the distance of the options. */
function inspect(
  word: string,
  field: string,
  maxEdits: number,
  above: number,
  options: SpellOptions,
  searcher: Searcher,
  limit: number,
): SimilarWord[] {
  const prefixLength = Math.max(options.prefixLength, maxEdits - 1);
  const finder = termFinder({
    kind: 'fuzzy',
    term: word,
    maxEdits,
    prefixLength,
    transpositions: true,
    maxExpansions: limit,
  });
  const freqs = new Map<string, number>();
  for (const segment of searcher.segments) {
    const terms = segment.reader.terms(field);
    if (!terms) continue;
    for (const ordinal of finder.find(searcher, segment, field, terms))
      freqs.set(terms.term(ordinal), (freqs.get(terms.term(ordinal)) ?? 0) + terms.docFreq(ordinal));
  }
  const found: (SimilarWord & { readonly similarity: number })[] = [];
  for (const [text, freq] of freqs) {
    const score = options.distance(word, text);
    if (text !== word && freq > above && score >= options.accuracy)
      found.push({ text, score, freq, similarity: internalDistance(word, text) });
  }
  return found
    .sort((a, b) => b.similarity - a.similarity || compareTerms(a.text, b.text))
    .slice(0, limit)
    .map(({ text, score, freq }) => ({ text, score, freq }));
}
