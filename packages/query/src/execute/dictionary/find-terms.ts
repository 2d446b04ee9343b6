import { compareTerms } from '@shoal/codec';
import type { Automaton } from '../../automata/automaton.js';
import { levenshteinAutomaton } from '../../automata/levenshtein.js';
import { regexpAutomaton } from '../../automata/regexp.js';
import { wildcardAutomaton, wildcardParts, type WildcardPart } from '../../automata/wildcard.js';
import type { TermMatch } from '../../plan.js';
import { type DictionaryText, dictionaryText } from './dictionary-text.js';
import { inputsFinder } from './find-inputs.js';
import { intersectDictionary } from './intersect-dictionary.kernel.js';
import type { FieldDictionary } from './searchable-terms.js';
import type { TermFinder } from './term-finder.js';

/** A finder for a predicate on terms. */
export function termFinder(match: TermMatch): TermFinder {
  if (match.kind === 'inputs') return inputsFinder(match.analysed);
  if (match.kind === 'prefix' && !match.caseInsensitive) return prefixFinder(match.prefix);
  const { automaton, prefix, literal } = compile(match);
  return {
    find: (searcher, segment, field, terms) => {
      const dictionary = dictionaryText(searcher, segment, field, terms);
      if (dictionary === null)
        return terms.isInMemory === true ? scanAll(terms, automaton) : walk(terms, automaton, prefix);
      const [from, to] = prefix === '' ? [0, terms.termCount] : prefixRange(dictionary, prefix);
      if (literal.length > prefix.length) return searchLiteral(dictionary, literal, from, to, automaton);
      const found = new Int32Array(to - from);
      return found.subarray(
        0,
        intersectDictionary(dictionary.text, dictionary.starts, dictionary.shared, from, to, automaton, found),
      );
    },
    matches: (term) => automaton.matches(term),
  };
}

interface Compiled {
  readonly automaton: Automaton;
  /** Prefix of all matching terms. */
  readonly prefix: string;
  /** Substring of all matching terms; empty when none is known. */
  readonly literal: string;
}

function compile(match: Exclude<TermMatch, { readonly kind: 'inputs' }>): Compiled {
  switch (match.kind) {
    case 'prefix': {
      const escaped = match.prefix.replace(/[\\*?]/g, '\\$&');
      return { automaton: wildcardAutomaton(`${escaped}*`, true) as Automaton, prefix: '', literal: '' };
    }
    case 'wildcard':
      return compileWildcard(match.pattern, match.caseInsensitive);
    case 'regexp': {
      const automaton = regexpAutomaton(
        match.pattern,
        match.flags,
        match.caseInsensitive,
        match.maxDeterminizedStates,
      ) as Automaton;
      return { automaton, prefix: match.caseInsensitive ? '' : regexpPrefix(match.pattern), literal: '' };
    }
    case 'fuzzy': {
      const automaton = levenshteinAutomaton(
        match.term,
        match.maxEdits,
        match.prefixLength,
        match.transpositions,
      ) as Automaton;
      return { automaton, prefix: [...match.term].slice(0, match.prefixLength).join(''), literal: '' };
    }
  }
}

function compileWildcard(pattern: string, caseInsensitive: boolean): Compiled {
  const automaton = wildcardAutomaton(pattern, caseInsensitive) as Automaton;
  if (caseInsensitive) return { automaton, prefix: '', literal: '' };
  const runs = literalRuns(wildcardParts(pattern));
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), '');
  return { automaton, prefix: runs[0] ?? '', literal: longest };
}

/**
 * Returns the runs of literal characters of a pattern. The first run is the one at the very beginning, '' when the
 * pattern begins with a wildcard.
 */
function literalRuns(parts: readonly WildcardPart[]): string[] {
  const runs = [''];
  for (const part of parts) {
    if (part.kind !== 'char') runs.push('');
    else runs[runs.length - 1] += String.fromCodePoint(part.code);
  }
  return runs;
}

/**
 * Returns the literal characters that a regular expression certainly begins with; '' when the first characters include
 * an operator.
 */
function regexpPrefix(pattern: string): string {
  const literal = /^[\p{L}\p{N}_ :/%=-]*/u.exec(pattern)![0];
  if (literal.length === pattern.length) return literal;
  if (pattern.includes('|') || pattern.includes('&') || pattern.includes('~')) return '';
  return /[?*{]/.test(pattern[literal.length]!) ? [...literal].slice(0, -1).join('') : literal;
}

/** A shorter literal occurs so often that searching for it is slower than running the automaton. */
const LITERAL_LENGTH_MIN = 2;

/** Terms that contain a literal, found by searching the whole text, then checked against the automaton. */
function searchLiteral(
  dictionary: DictionaryText,
  literal: string,
  from: number,
  to: number,
  automaton: Automaton,
): Int32Array {
  const { text, starts, shared } = dictionary;
  const found = new Int32Array(to - from);
  if (literal.length < LITERAL_LENGTH_MIN)
    return found.subarray(0, intersectDictionary(text, starts, shared, from, to, automaton, found));
  let count = 0;
  const end = starts[to]!;
  for (let at = text.indexOf(literal, starts[from]); at >= 0 && at < end; ) {
    const term = termAt(starts, from, to, at);
    const next = starts[term + 1]!;
    // A hit that crosses the end of a term is an accident of concatenation, not a match.
    const isWithin = at + literal.length <= next;
    if (isWithin && automaton.matches(text.slice(starts[term], next))) found[count++] = term;
    at = text.indexOf(literal, isWithin ? next : at + 1);
  }
  return found.subarray(0, count);
}

/** Returns the term whose characters include offset `at` of the text. */
function termAt(starts: Int32Array, from: number, to: number, at: number): number {
  let low = from;
  let high = to - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (starts[middle]! <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Returns the range [from, to) of the terms that begin with a prefix. */
function prefixRange(dictionary: DictionaryText, prefix: string): [number, number] {
  const from = firstFrom(dictionary, prefix);
  const after = successor(prefix);
  return [from, after === null ? dictionary.starts.length - 1 : firstFrom(dictionary, after)];
}

/** Returns the smallest text above all texts that begin with a prefix, or null when there is none. */
function successor(prefix: string): string | null {
  const codes = [...prefix].map((char) => char.codePointAt(0)!);
  while (codes.length > 0 && codes[codes.length - 1] === 0x10ffff) codes.pop();
  if (codes.length === 0) return null;
  const last = codes.pop()! + 1;
  return String.fromCodePoint(...codes, last >= 0xd800 && last < 0xe000 ? 0xe000 : last);
}

function firstFrom({ text, starts }: DictionaryText, term: string): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareTerms(text.slice(starts[middle], starts[middle + 1]), term) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function prefixFinder(prefix: string): TermFinder {
  return {
    find: (_searcher, _segment, _field, terms) =>
      terms.isInMemory === true ? scanPrefix(terms, prefix) : prefixOrdinals(terms, prefix),
    matches: (term) => term.startsWith(prefix),
  };
}

function scanPrefix(terms: FieldDictionary, prefix: string): Int32Array {
  const found: number[] = [];
  for (let i = 0; i < terms.termCount; i++) if (terms.term(i).startsWith(prefix)) found.push(i);
  return Int32Array.from(found);
}

function prefixOrdinals(terms: FieldDictionary, prefix: string): Int32Array {
  const cursor = terms.cursor();
  if (!cursor.seek(prefix) || !cursor.term.startsWith(prefix)) return new Int32Array(0);
  const from = cursor.ordinal;
  const after = successor(prefix);
  const to = after !== null && cursor.seek(after) ? cursor.ordinal : terms.termCount;
  return Int32Array.from({ length: to - from }, (_, i) => from + i);
}

function scanAll(terms: FieldDictionary, automaton: Automaton): Int32Array {
  const found: number[] = [];
  for (let i = 0; i < terms.termCount; i++) if (automaton.matches(terms.term(i))) found.push(i);
  return Int32Array.from(found);
}

function walk(terms: FieldDictionary, automaton: Automaton, prefix: string): Int32Array {
  const found: number[] = [];
  const cursor = terms.cursor();
  for (
    let more = prefix === '' ? cursor.next() : cursor.seek(prefix);
    more && cursor.term.startsWith(prefix);
    more = cursor.next()
  ) {
    if (automaton.matches(cursor.term)) found.push(cursor.ordinal);
  }
  return Int32Array.from(found);
}
