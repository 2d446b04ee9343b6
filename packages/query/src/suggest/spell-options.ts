import { errors } from '@shoal/errors';
import { float, int, type OptionPlace, text } from '../parse/options.js';
import { byFrequency, byScore, type SpellOptions, type SpellOrder, type SuggestMode } from './spell-check.js';
import { internalDistance, STRING_DISTANCES, type StringDistance } from './string-distance.js';

/** Options of searching for similar words when none are given. */
export const SPELL_DEFAULTS: SpellOptions = {
  suggestMode: 'missing',
  accuracy: 0.5,
  maxEdits: 2,
  prefixLength: 1,
  minWordLength: 4,
  maxInspections: 5,
  minDocFreq: 0,
  maxTermFreq: Math.fround(0.01),
  distance: internalDistance,
  order: byScore,
};

const MODE_ENUM = 'org.elasticsearch.search.suggest.term.TermSuggestionBuilder.SuggestMode';

/** Returns the mode of a name in any case, or null. */
export function suggestModeOf(name: string): SuggestMode | null {
  const lower = name.toLowerCase();
  return lower === 'missing' || lower === 'popular' || lower === 'always' ? lower : null;
}

/** Returns the similarity of a name in any case. Throws illegal_argument_exception for an unknown one. */
export function distanceOf(name: string): StringDistance {
  const found = STRING_DISTANCES.get(name.toLowerCase());
  if (!found) throw errors.illegalArgument(`Illegal distance option ${name}`);
  return found;
}

/** Returns the order that `sort` names. Throws illegal_argument_exception for an unknown one. */
export function orderOf(name: string): SpellOrder {
  const lower = name.toLowerCase();
  if (lower === 'score') return byScore;
  if (lower === 'frequency') return byFrequency;
  throw errors.illegalArgument(`No enum constant org.elasticsearch.search.suggest.SortBy.${name.toUpperCase()}`);
}

type Reader = (value: unknown, place: OptionPlace) => Partial<SpellOptions>;

/** Parsers of the spell checker's options of a term suggester, by name; they refuse values as Elasticsearch does. */
export const SPELL_OPTIONS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['suggest_mode', (value, place) => ({ suggestMode: knownMode(text(value, place)) })],
  ['accuracy', (value, place) => ({ accuracy: fraction(float(value, place)) })],
  ['max_edits', (value, place) => ({ maxEdits: edits(int(value, place)) })],
  ['prefix_length', (value, place) => ({ prefixLength: positive('prefixLength', int(value, place)) })],
  ['min_word_length', (value, place) => ({ minWordLength: wordLength(int(value, place)) })],
  ['max_inspections', (value, place) => ({ maxInspections: positive('maxInspections', int(value, place)) })],
  ['min_doc_freq', (value, place) => ({ minDocFreq: frequency('minDocFreq', float(value, place)) })],
  ['max_term_freq', (value, place) => ({ maxTermFreq: frequency('maxTermFreq', float(value, place)) })],
  ['string_distance', (value, place) => ({ distance: distanceOf(text(value, place)) })],
  ['sort', (value, place) => ({ order: orderOf(text(value, place)) })],
]);

function knownMode(name: string): SuggestMode {
  const mode = suggestModeOf(name);
  if (mode === null) throw errors.illegalArgument(`No enum constant ${MODE_ENUM}.${name.toUpperCase()}`);
  return mode;
}

function fraction(accuracy: number): number {
  if (accuracy >= 0 && accuracy <= 1) return accuracy;
  throw errors.illegalArgument('accuracy must be between 0 and 1');
}

function edits(count: number): number {
  if (count === 1 || count === 2) return count;
  throw errors.illegalArgument('maxEdits must be between 1 and 2');
}

function positive(name: string, value: number): number {
  if (value >= 0) return value;
  throw errors.illegalArgument(`${name} must be positive`);
}

function wordLength(length: number): number {
  if (length >= 1) return length;
  throw errors.illegalArgument('minWordLength must be greater or equal to 1');
}

function frequency(name: string, value: number): number {
  if (positive(name, value) <= 1 || Number.isInteger(value)) return value;
  throw errors.illegalArgument(`if ${name} is greater than 1, it must not be a fraction`);
}
