import type { JsonObject } from '@shoal/json';
import { errors } from '@shoal/errors';
import { float, int, type OptionPlace, text } from '../parse/options.js';
import type { SpellOptions, SuggestMode } from './spell-check.js';
import { internalDistance, STRING_DISTANCES, type StringDistance } from './string-distance.js';

const DEFAULTS: SpellOptions = {
  suggestMode: 'missing',
  accuracy: 0.5,
  maxEdits: 2,
  prefixLength: 1,
  minWordLength: 4,
  maxInspections: 5,
  minDocFreq: 0,
  maxTermFreq: Math.fround(0.01),
  distance: internalDistance,
};

type Reader = (value: unknown, place: OptionPlace) => Partial<SpellOptions>;

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['suggest_mode', (value, place) => ({ suggestMode: suggestMode(text(value, place)) })],
  ['accuracy', (value, place) => ({ accuracy: float(value, place) })],
  ['max_edits', (value, place) => ({ maxEdits: maxEdits(int(value, place)) })],
  ['prefix_length', (value, place) => ({ prefixLength: int(value, place) })],
  ['prefix_len', (value, place) => ({ prefixLength: int(value, place) })],
  ['min_word_length', (value, place) => ({ minWordLength: int(value, place) })],
  ['min_word_len', (value, place) => ({ minWordLength: int(value, place) })],
  ['max_inspections', (value, place) => ({ maxInspections: int(value, place) })],
  ['min_doc_freq', (value, place) => ({ minDocFreq: float(value, place) })],
  ['max_term_freq', (value, place) => ({ maxTermFreq: float(value, place) })],
  ['string_distance', (value, place) => ({ distance: distance(text(value, place)) })],
]);

const MODE_ENUM = 'org.elasticsearch.search.suggest.term.TermSuggestionBuilder.SuggestMode';

function suggestMode(name: string): SuggestMode {
  const lower = name.toLowerCase();
  if (lower === 'missing' || lower === 'popular' || lower === 'always') return lower;
  throw errors.illegalArgument(`No enum constant ${MODE_ENUM}.${name.toUpperCase()}`);
}

function maxEdits(edits: number): number {
  if (edits === 1 || edits === 2) return edits;
  throw errors.illegalArgument('maxEdits must be between 1 and 2');
}

function distance(name: string): StringDistance {
  const found = STRING_DISTANCES.get(name.toLowerCase());
  if (!found) throw errors.illegalArgument(`Illegal distance option ${name}`);
  return found;
}

/** Parses those options of a suggester that belong to the spell checker; `rest` has the names of the other options. */
export function readSpellOptions(
  body: JsonObject,
  type: string,
): { readonly options: SpellOptions; readonly rest: readonly string[] } {
  let options = DEFAULTS;
  const rest: string[] = [];
  for (const key of Object.keys(body)) {
    const reader = READERS.get(key);
    if (reader) options = { ...options, ...reader(body[key], { type, container: body, key }) };
    else rest.push(key);
  }
  return { options, rest };
}
