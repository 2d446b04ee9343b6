import type { Analyzer } from '@shoal/analysis';
import { compareTerms } from '@shoal/codec';
import { type ApiError, errors } from '@shoal/errors';
import type { JsonObject } from '@shoal/json';
import { type DeclaredFields, numberField, readDeclared, stringField } from '../parse/declared.js';
import { float, int, text } from '../parse/options.js';
import { countTerm } from '../execute/statistics.js';
import type { Searcher } from '../searcher.js';
import type { Candidate } from './phrase-search.js';
import { similarWords, type SpellOptions } from './spell-check.js';
import { distanceOf, orderOf, SPELL_DEFAULTS, suggestModeOf } from './spell-options.js';

const FIELDS = {
  field: stringField(text),
  pre_filter: stringField(text),
  post_filter: stringField(text),
  suggest_mode: stringField(text),
  min_doc_freq: numberField(float),
  accuracy: numberField(float),
  size: numberField((value, place) => sizeOf(int(value, place))),
  sort: stringField(text),
  string_distance: stringField(text),
  max_inspections: numberField(int),
  max_term_freq: numberField(float),
  max_edits: numberField((value, place) => edits(int(value, place))),
  min_word_length: numberField(int),
  prefix_length: numberField(int),
};

/** A `direct_generator` of a phrase suggester as it was given. */
export type GivenGenerator = DeclaredFields<typeof FIELDS> & { readonly field: string };

/** Parses one `direct_generator`; its names are looked up by {@link candidateGenerator}, on the shard. */
export function parseGenerator(body: JsonObject): GivenGenerator {
  const given = readDeclared('direct_generator', body, FIELDS);
  if (given.field === undefined) throw errors.illegalArgument('Required [field]');
  return { ...given, field: given.field };
}

function sizeOf(size: number): number {
  if (size > 0) return size;
  throw errors.illegalArgument('Size must be positive');
}

function edits(count: number): number {
  if (count === 1 || count === 2) return count;
  throw errors.illegalArgument(`Illegal max_edits value ${count}`);
}

const DEFAULT_SIZE = 5;

/** Frequency of a term in a field. */
interface TermStats {
  readonly docFreq: number;
  readonly totalTermFreq: number;
}

/** Proposes candidates for words of a phrase from the terms of a field, as Elasticsearch's DirectCandidateGenerator. */
export interface CandidateGenerator {
  /** Returns the given word as the candidate that it is itself. */
  original(word: string): Candidate;
  /** Returns the similar terms of the field, not in order. */
  candidates(word: string): readonly Candidate[];
  /** Number of documents with the word. */
  docFreq(word: string): number;
  /** A word of the same place in the text, such as a synonym, with its likeness. */
  synonym(word: string, likeness: number): Candidate;
}

/**
 * Binds a generator to a searcher. Returns null for a field without terms. Throws illegal_argument_exception for
 * unknown analyzers, modes, orders and distances.
 */
export function candidateGenerator(given: GivenGenerator, searcher: Searcher): CandidateGenerator | null {
  const options = spellOptions(given);
  const preFilter = filterOf(given.pre_filter, searcher);
  const postFilter = filterOf(given.post_filter, searcher);
  const field = searcher.mapping.field(given.field)?.name ?? given.field;
  const readers = searcher.segments.flatMap(({ reader }) => reader.terms(field) ?? []);
  if (readers.length === 0) return null;
  const occurrences = readers.reduce((sum, terms) => sum + terms.sumTotalTermFreq, 0);
  const plateau = options.minDocFreq >= 1 ? options.minDocFreq : Math.trunc(occurrences * options.minDocFreq);
  const stats = (term: string): TermStats => {
    let totalTermFreq = 0;
    for (const terms of readers) {
      const ordinal = terms.lookup(term);
      if (ordinal >= 0) totalTermFreq += terms.totalTermFreq(ordinal);
    }
    return { docFreq: countTerm(searcher, field, term), totalTermFreq };
  };
  const candidate = (term: string, own: TermStats, likeness: number, isOriginal: boolean): Candidate => ({
    term,
    likeness,
    isOriginal,
    weight: likeness * ((own.totalTermFreq + 1) / (occurrences + 1)),
  });
  const filtered = (word: string): string => lastTerm(preFilter, word);
  return {
    original: (word) => candidate(word, stats(filtered(word)), 1, true),
    docFreq: (word) => stats(filtered(word)).docFreq,
    synonym: (word, likeness) => candidate(word, stats(filtered(word)), likeness, false),
    candidates: (word) => {
      const term = filtered(word);
      const isAlways = options.suggestMode === 'always';
      const minDocFreq = isAlways ? options.minDocFreq : thresholdOf(stats(term).docFreq, plateau);
      const similar = similarWords(term, field, given.size ?? DEFAULT_SIZE, { ...options, minDocFreq }, searcher);
      return similar.flatMap(({ text: like, score }) => {
        const own = stats(like);
        if (postFilter === null) return [candidate(like, own, score, false)];
        return termsOf(postFilter, like).map((shown) => candidate(shown, own, score, false));
      });
    },
  };
}

/** Base of the logarithm by which the frequency that a better word needs grows with that of the given word. */
const THRESHOLD_BASE = 5;

/** Returns the document frequency above which a word is a correction of one that `docFreq` documents have. */
function thresholdOf(docFreq: number, plateau: number): number {
  if (docFreq === 0) return 0;
  const threshold = Math.round(docFreq * (Math.log10(docFreq - plateau) / Math.log10(THRESHOLD_BASE)) + 1);
  return threshold > 0 ? threshold : 0;
}

function spellOptions(given: GivenGenerator): SpellOptions {
  const suggestMode = given.suggest_mode === undefined ? 'missing' : suggestModeOf(given.suggest_mode);
  if (suggestMode === null) throw errors.illegalArgument(`Illegal suggest mode ${given.suggest_mode}`);
  return {
    suggestMode,
    accuracy: given.accuracy ?? SPELL_DEFAULTS.accuracy,
    order: given.sort === undefined ? SPELL_DEFAULTS.order : orderOf(given.sort),
    distance: given.string_distance === undefined ? SPELL_DEFAULTS.distance : distanceOf(given.string_distance),
    maxEdits: given.max_edits ?? SPELL_DEFAULTS.maxEdits,
    maxInspections: given.max_inspections ?? SPELL_DEFAULTS.maxInspections,
    maxTermFreq: documentFrequency(given.max_term_freq ?? SPELL_DEFAULTS.maxTermFreq),
    prefixLength: given.prefix_length ?? SPELL_DEFAULTS.prefixLength,
    minWordLength: given.min_word_length ?? SPELL_DEFAULTS.minWordLength,
    minDocFreq: documentFrequency(given.min_doc_freq ?? SPELL_DEFAULTS.minDocFreq),
  };
}

function documentFrequency(value: number): number {
  if (value < 1 || Number.isInteger(value)) return value;
  throw errors.illegalArgument('Fractional absolute document frequencies are not allowed');
}

function filterOf(name: string | undefined, { analysis }: Searcher): Analyzer | null {
  if (name === undefined) return null;
  const analyzer = analysis.analyzer(name);
  if (!analyzer) throw unknownFilter(name);
  return analyzer;
}
const unknownFilter = (name: string): ApiError => errors.illegalArgument(`Analyzer [${name}] doesn't exists`);

function termsOf(analyzer: Analyzer, word: string): string[] {
  const tokens = analyzer.analyze(word, true);
  return tokens.terms.slice(0, tokens.count);
}
const lastTerm = (analyzer: Analyzer | null, word: string): string =>
  analyzer === null ? word : (termsOf(analyzer, word).at(-1) ?? '');

/** Compares candidates: the heavier first, then by term. */
export const byWeight = (a: Candidate, b: Candidate): number => b.weight - a.weight || compareTerms(a.term, b.term);
