import { errors } from '@shoal/errors';
import type { JsonObject } from '@shoal/json';
import { formatFloat } from '@shoal/values';
import { type OptionPlace, text } from '../parse/options.js';
import { byFrequency, byScore, mergeByText } from './reduce-options.js';
import { byScore as wordsByScore, similarWords, type SpellOptions } from './spell-check.js';
import { SPELL_DEFAULTS, SPELL_OPTIONS } from './spell-options.js';
import {
  fieldOption,
  isScalar,
  mappedField,
  type ParsedSuggestion,
  positiveSize,
  type Suggester,
  type SuggestEntry,
  type SuggestInput,
  suggestAnalyzer,
  unsupportedKey,
  wholeNumber,
  wordsOf,
} from './suggester.js';

/** Suggests, for each word of a text, terms of the index within the edit distance. */
export const termSuggester: Suggester = { name: 'term', parse };

interface TermOptions {
  readonly field: string;
  readonly analyzer: string | null;
  readonly size: number;
  readonly shardSize: number | null;
  readonly spell: SpellOptions;
}

const DEFAULT_SIZE = 5;

type Reader = (value: unknown, place: OptionPlace) => Partial<TermOptions>;

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['field', (value, place) => ({ field: fieldOption(text(value, place)) })],
  ['analyzer', (value, place) => ({ analyzer: text(value, place) })],
  ['size', (value, place) => ({ size: positiveSize(wholeNumber(value, place)) })],
  ['shard_size', (value, place) => ({ shardSize: wholeNumber(value, place) })],
]);

function parse(body: JsonObject): ParsedSuggestion {
  let options: TermOptions = { field: '', analyzer: null, size: DEFAULT_SIZE, shardSize: null, spell: SPELL_DEFAULTS };
  for (const key of Object.keys(body)) options = { ...options, ...parseOption(body, key, options.spell) };
  if (!Object.hasOwn(body, 'field')) throw errors.parse('the required field option [field] is missing');
  const order = options.spell.order === wordsByScore ? byScore : byFrequency;
  return {
    type: 'term',
    field: options.field,
    run: (input) => suggestTerms(options, input),
    reduce: (shards) =>
      mergeByText(shards, order).map((entry) => ({ ...entry, options: entry.options.slice(0, options.size) })),
  };
}

function parseOption(body: JsonObject, key: string, spell: SpellOptions): Partial<TermOptions> {
  const value = body[key];
  if (!isScalar(value))
    throw errors.parsing(`suggester[term] parsing failed on [${key}]`, { location: { container: body, key } });
  const place = { type: 'term', container: body, key };
  const own = READERS.get(key);
  if (own) return own(value, place);
  const reader = SPELL_OPTIONS.get(key);
  if (!reader) throw unsupportedKey('term', key, body);
  return { spell: { ...spell, ...reader(value, place) } };
}

async function suggestTerms(
  options: TermOptions,
  { text: given, searcher, pause }: SuggestInput,
): Promise<SuggestEntry[]> {
  const type = mappedField(options.field, searcher);
  const shardSize = options.shardSize ?? Math.max(options.size, DEFAULT_SIZE);
  if (shardSize <= 0) throw errors.illegalArgument(`ShardSize must be positive but was: ${shardSize}`);
  const entries: SuggestEntry[] = [];
  for (const word of wordsOf(given, suggestAnalyzer(options.analyzer, type, searcher))) {
    const similar = similarWords(word.text, type.name, shardSize, options.spell, searcher);
    entries.push({
      ...word,
      options: similar.map(({ text: like, score, freq }) => ({ text: like, score: Number(formatFloat(score)), freq })),
    });
    await pause();
  }
  return entries;
}
