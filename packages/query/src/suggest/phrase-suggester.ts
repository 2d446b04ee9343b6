import { isPlainObject, type JsonObject } from '@shoal/json';
import { errors } from '@shoal/errors';
import type { Analyzer } from '@shoal/analysis';
import { formatFloat } from '@shoal/values';
import { float, int, text } from '../parse/options.js';
import type { Searcher } from '../searcher.js';
import { type Candidate, bestPhrases } from './phrase-search.js';
import { type Smoothing, parseSmoothing, wordModel } from './word-model.js';
import { similarWords, type SpellOptions } from './spell-check.js';
import { readSpellOptions } from './spell-options.js';
import {
  mappedField,
  type ParsedSuggestion,
  type SuggestInput,
  requiredField,
  type Suggester,
  suggestAnalyzer,
  unsupportedKey,
  wordsOf,
} from './suggester.js';

/** Suggests corrections of a whole text, by a noisy channel model over the terms of a field. */
export const phraseSuggester: Suggester = { name: 'phrase', parse };

const KEYS = [
  'field',
  'analyzer',
  'size',
  'shard_size',
  'gram_size',
  'real_word_error_likelihood',
  'confidence',
  'max_errors',
  'separator',
  'highlight',
  'smoothing',
  'direct_generator',
  'token_limit',
  'force_unigrams',
];
const DEFAULT_SIZE = 5;
const TOKEN_LIMIT = 10;
const REAL_WORD_LIKELIHOOD = 0.95;

interface Generator {
  readonly field: string;
  readonly size: number;
  readonly options: SpellOptions;
}

function parse(body: JsonObject): ParsedSuggestion {
  const unknown = Object.keys(body).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) throw unsupportedKey('phrase', unknown, body);
  const field = requiredField(body);
  const number = (key: string, fallback: number): number =>
    body[key] === undefined ? fallback : float(body[key], { type: 'phrase', container: body, key });
  const size = Math.trunc(number('size', DEFAULT_SIZE));
  const likelihood = number('real_word_error_likelihood', REAL_WORD_LIKELIHOOD);
  const confidence = number('confidence', 1);
  const maxErrors = number('max_errors', 1);
  if (confidence < 0) throw errors.illegalArgument('confidence must be >= 0.0');
  if (maxErrors <= 0) throw errors.illegalArgument('max_error must be > 0.0');
  const separator =
    body['separator'] === undefined
      ? ' '
      : text(body['separator'], { type: 'phrase', container: body, key: 'separator' });
  const smoothing = parseSmoothing(body['smoothing'], body);
  const generators = parseGenerators(body['direct_generator'], field);
  const highlight = parseTags(body['highlight'], body);
  const given = {
    size,
    likelihood,
    confidence,
    maxErrors,
    separator,
    smoothing,
    generators,
    highlight,
    tokenLimit: number('token_limit', TOKEN_LIMIT),
  };
  return {
    type: 'phrase',
    run: async ({ text: phrase, searcher, pause }) => {
      const type = mappedField(field, searcher);
      const analyzer = suggestAnalyzer(body['analyzer'], type, searcher);
      const gramSize =
        body['gram_size'] === undefined
          ? shingleSize(analyzer)
          : int(body['gram_size'], { type: 'phrase', container: body, key: 'gram_size' });
      const options = await phraseOptions(phrase, type.name, analyzer, gramSize, given, { searcher, pause });
      return [{ text: phrase, offset: 0, length: phrase.length, options }];
    },
  };
}

interface Tags {
  readonly pre: string;
  readonly post: string;
}

function parseTags(value: unknown, container: object): Tags | null {
  if (value === undefined) return null;
  if (!isPlainObject(value))
    throw errors.parsing("suggester[phrase] doesn't support field [highlight]", {
      location: { container, key: 'highlight' },
    });
  for (const key of Object.keys(value)) {
    if (key !== 'pre_tag' && key !== 'post_tag')
      throw errors.parsing(`suggester[phrase][highlight] doesn't support field [${key}]`, {
        location: { container: value, key },
      });
  }
  return { pre: String(value['pre_tag'] ?? ''), post: String(value['post_tag'] ?? '') };
}

function parseGenerators(value: unknown, field: string): Generator[] {
  if (value === undefined)
    return [{ field, size: DEFAULT_SIZE, options: readSpellOptions({}, 'direct_generator').options }];
  return (Array.isArray(value) ? value : [value]).map((entry: unknown) => {
    const body = isPlainObject(entry) ? entry : {};
    const { options, rest } = readSpellOptions(body, 'direct_generator');
    for (const key of rest) {
      if (key === 'pre_filter' || key === 'post_filter')
        throw errors.illegalArgument(`[direct_generator] option [${key}] is not supported`);
      if (key !== 'field' && key !== 'size')
        throw errors.xContentParse(`[direct_generator] unknown field [${key}]`, {
          location: { container: body, key, at: 'key' },
        });
    }
    if (typeof body['field'] !== 'string') throw errors.illegalArgument('Required [field]');
    return {
      field: body['field'],
      size:
        body['size'] === undefined
          ? DEFAULT_SIZE
          : int(body['size'], { type: 'direct_generator', container: body, key: 'size' }),
      options,
    };
  });
}

/** Returns the length of the longest shingles that an analyser makes; 1 if it makes none. */
function shingleSize(analyzer: Analyzer | null): number {
  if (!analyzer) return 1;
  const tokens = analyzer.analyze('aa bb cc dd ee', true);
  let longest = 1;
  for (let i = 0; i < tokens.count; i++) longest = Math.max(longest, tokens.terms[i]!.split(' ').length);
  return longest;
}

interface PhraseSettings {
  readonly size: number;
  readonly likelihood: number;
  readonly confidence: number;
  readonly maxErrors: number;
  readonly separator: string;
  readonly smoothing: Smoothing;
  readonly generators: readonly Generator[];
  readonly highlight: Tags | null;
  readonly tokenLimit: number;
}

async function phraseOptions(
  phrase: string,
  field: string,
  analyzer: Analyzer | null,
  gramSize: number,
  given: PhraseSettings,
  { searcher, pause }: Pick<SuggestInput, 'searcher' | 'pause'>,
): Promise<Record<string, unknown>[]> {
  const words = wordsOf(phrase, analyzer);
  if (words.length === 0 || words.length > given.tokenLimit) return [];
  const sets: Candidate[][] = [];
  for (const word of words) {
    sets.push(candidatesFor(word.text, given, searcher));
    await pause();
  }
  const model = wordModel(field, given.smoothing, given.separator, searcher);
  const found = await bestPhrases(sets, { model, gramSize, ...given }, pause);
  return found.map(({ path, score }) => ({
    text: path.map(({ term }) => term).join(given.separator),
    ...(given.highlight ? { highlighted: highlightChanges(path, given.separator, given.highlight) } : {}),
    score: Number(formatFloat(Math.fround(score))),
  }));
}

/** Returns the candidates for a word: the word itself first, then similar words of each generator. */
function candidatesFor(word: string, given: PhraseSettings, searcher: Searcher): Candidate[] {
  const candidates = new Map<string, Candidate>([[word, { term: word, likeness: 1, isOriginal: true }]]);
  for (const { field, size, options } of given.generators) {
    const type = mappedField(field, searcher);
    for (const { text: term, score } of similarWords(word, type.name, size, options, searcher)) {
      if (!candidates.has(term)) candidates.set(term, { term, likeness: score, isOriginal: false });
    }
  }
  return [...candidates.values()];
}

function highlightChanges(path: readonly Candidate[], separator: string, { pre, post }: Tags): string {
  const parts: string[] = [];
  for (let i = 0; i < path.length; ) {
    let end = i;
    while (end < path.length && !path[end]!.isOriginal) end++;
    if (end > i)
      parts.push(
        pre +
          path
            .slice(i, end)
            .map(({ term }) => term)
            .join(separator) +
          post,
      );
    else parts.push(path[end++]!.term);
    i = end;
  }
  return parts.join(separator);
}
