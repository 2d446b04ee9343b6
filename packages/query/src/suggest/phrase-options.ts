import { type ApiError, errors } from '@shoal/errors';
import { isPlainObject, type JsonObject } from '@shoal/json';
import { boolean, float, lastOfList, type OptionPlace, text } from '../parse/options.js';
import { type GivenGenerator, parseGenerator } from './direct-generator.js';
import { fieldOption, isScalar, positiveSize, unsupportedKey, wholeNumber } from './suggester.js';
import { parseSmoothing, type Smoothing } from './word-model.js';

/** Marks around changed words. */
export interface Tags {
  readonly pre: string;
  readonly post: string;
}

/** Options of a phrase suggester, with their defaults. */
export interface PhraseOptions {
  readonly field: string;
  readonly analyzer: string | null;
  readonly size: number;
  readonly shardSize: number | null;
  /** Probability that a given word is right. */
  readonly likelihood: number;
  readonly confidence: number;
  readonly maxErrors: number;
  readonly separator: string;
  /** Longest shingles of the model; null: those of the analyzer. */
  readonly gramSize: number | null;
  readonly requiresUnigrams: boolean;
  /** A text of so many words has no suggestions. */
  readonly tokenLimit: number;
  readonly smoothing: Smoothing;
  readonly generators: readonly GivenGenerator[];
  readonly highlight: Tags | null;
  /** Whether suggestions are to be checked by a query template, which needs scripts. */
  readonly isCollating: boolean;
}

const DEFAULTS: PhraseOptions = {
  field: '',
  analyzer: null,
  size: 5,
  shardSize: null,
  likelihood: Math.fround(0.95),
  confidence: 1,
  maxErrors: 1,
  separator: ' ',
  gramSize: null,
  requiresUnigrams: true,
  tokenLimit: 10,
  smoothing: parseSmoothing({}),
  generators: [],
  highlight: null,
  isCollating: false,
};

type Reader = (value: unknown, place: OptionPlace) => Partial<PhraseOptions>;

const above = (value: number, isInRange: boolean, refusal: string): number => {
  if (!isInRange) throw errors.illegalArgument(refusal);
  return value;
};
const atLeastOne = (name: string, value: number): number => above(value, value >= 1, `${name} must be >= 1`);

const SCALARS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['field', (value, place) => ({ field: fieldOption(text(value, place)) })],
  ['analyzer', (value, place) => ({ analyzer: text(value, place) })],
  ['size', (value, place) => ({ size: positiveSize(wholeNumber(value, place)) })],
  ['shard_size', (value, place) => ({ shardSize: wholeNumber(value, place) })],
  [
    'real_word_error_likelihood',
    (value, place) => {
      const likelihood = float(value, place);
      return { likelihood: above(likelihood, likelihood > 0, 'real_word_error_likelihood must be > 0.0') };
    },
  ],
  [
    'confidence',
    (value, place) => {
      const confidence = float(value, place);
      return { confidence: above(confidence, confidence >= 0, 'confidence must be >= 0.0') };
    },
  ],
  [
    'max_errors',
    (value, place) => {
      const maxErrors = float(value, place);
      return { maxErrors: above(maxErrors, maxErrors > 0, 'max_error must be > 0.0') };
    },
  ],
  ['separator', (value, place) => ({ separator: text(value, place) })],
  ['gram_size', (value, place) => ({ gramSize: atLeastOne('gramSize', wholeNumber(value, place)) })],
  ['force_unigrams', (value, place) => ({ requiresUnigrams: boolean(value, place) })],
  ['token_limit', (value, place) => ({ tokenLimit: atLeastOne('token_limit', wholeNumber(value, place)) })],
]);

/** Parses the options of a phrase suggester in the order in which they were written. */
export function parsePhrase(body: JsonObject): PhraseOptions {
  let options = DEFAULTS;
  for (const key of Object.keys(body)) options = { ...options, ...parseOption(body, key) };
  if (!Object.hasOwn(body, 'field')) throw errors.parse('the required field option [field] is missing');
  return options;
}

function parseOption(body: JsonObject, key: string): Partial<PhraseOptions> {
  const value = body[key];
  if (isScalar(value)) {
    const reader = SCALARS.get(key);
    if (!reader) throw unsupportedKey('phrase', key, body);
    return reader(value, { type: 'phrase', container: body, key });
  }
  if (Array.isArray(value)) {
    if (key !== 'direct_generator') throw unsupportedList(key, body);
    return { generators: parseGenerators(value) };
  }
  if (!isPlainObject(value)) throw unsupportedKey('phrase', key, body);
  if (key === 'smoothing') return { smoothing: parseSmoothing(value) };
  if (key === 'highlight') return { highlight: parseTags(value) };
  if (key === 'collate') return { isCollating: parseCollate(value) };
  throw unsupportedList(key, body);
}

function unsupportedList(key: string, container: object): ApiError {
  return errors.parsing(`suggester[phrase]  doesn't support array field [${key}]`, { location: { container, key } });
}

function parseGenerators(list: readonly unknown[]): GivenGenerator[] {
  return list.map((entry, i) => {
    if (isPlainObject(entry)) return parseGenerator(entry);
    throw errors.parsing(`suggester[phrase] doesn't support field [direct_generator]`, {
      location: { container: list, key: i, at: 'next' },
    });
  });
}

function parseTags(value: JsonObject): Tags | null {
  const tag: Record<string, string> = {};
  for (const key of Object.keys(value)) {
    // 8.12 reads through lists, so that the last value of one counts.
    const [container, at] = lastOfList(value, key);
    const given = (container as JsonObject)[at];
    if (!isScalar(given)) continue;
    if (key !== 'pre_tag' && key !== 'post_tag')
      throw errors.parsing(`suggester[phrase][highlight] doesn't support field [${key}]`, {
        location: { container: value, key },
      });
    tag[key] = text(given, { type: 'highlight', container, key: at });
  }
  const { pre_tag: pre, post_tag: post } = tag;
  if (pre !== undefined && post !== undefined) return { pre, post };
  if (pre === undefined && post === undefined) return null;
  throw errors.illegalArgument('Pre and post tag must both be null or both not be null.');
}

const COLLATE_KEYS = ['query', 'params', 'prune'];

/** Returns whether there is a query template. */
function parseCollate(value: JsonObject): boolean {
  for (const key of Object.keys(value))
    if (!COLLATE_KEYS.includes(key))
      throw errors.parsing(`suggester[phrase][collate] doesn't support field [${key}]`, {
        location: { container: value, key },
      });
  return value['query'] !== undefined;
}
