import { isPlainObject, type JsonObject, tokenOf } from '@shoal/json';
import { errors } from '@shoal/errors';
import { double } from '../parse/options.js';
import type { Searcher } from '../searcher.js';

/** Probabilities of words and word sequences, from the frequencies of a field's words and shingles. */
export interface WordModel {
  unigram(word: string): number;
  bigram(before: string, word: string): number;
  trigram(first: string, before: string, word: string): number;
}

/** Smoothing of the probabilities of unseen word sequences, with its parameters; names as in the DSL. */
export type Smoothing =
  | { readonly kind: 'stupid_backoff'; readonly discount: number }
  | { readonly kind: 'laplace'; readonly alpha: number }
  | {
      readonly kind: 'linear';
      readonly trigram: number;
      readonly bigram: number;
      readonly unigram: number;
    };

/** Smallest divisor: keeps quotients finite. */
const EPSILON = 1e-11;

const DEFAULT: Smoothing = { kind: 'stupid_backoff', discount: 0.4 };

/** Parameters of each kind of smoothing. */
const PARAMETERS: Readonly<Record<Smoothing['kind'], readonly string[]>> = {
  stupid_backoff: ['discount'],
  laplace: ['alpha'],
  linear: ['trigram_lambda', 'bigram_lambda', 'unigram_lambda'],
};

/** Parses `smoothing` of the phrase suggester: an object with a kind as its only key, or without a key. */
export function parseSmoothing(body: JsonObject): Smoothing {
  let smoothing: Smoothing = DEFAULT;
  for (const name of Object.keys(body)) {
    const given = body[name];
    if (!isPlainObject(given))
      throw errors.parsing(`[smoothing] unknown token [${tokenOf(given)}] after [${name}]`, {
        location: { container: body, key: name },
      });
    if (!Object.hasOwn(PARAMETERS, name))
      throw errors.illegalArgument(`suggester[phrase] doesn't support object field [${name}]`);
    smoothing = smoothingOf(name as Smoothing['kind'], given);
  }
  return smoothing;
}

/** Parses the parameters of a kind. Only `linear` refuses unknown ones, as in Elasticsearch. */
function smoothingOf(kind: Smoothing['kind'], body: JsonObject): Smoothing {
  const number = (key: string, fallback: number): number =>
    body[key] === undefined ? fallback : double(body[key], { type: kind, container: body, key });
  if (kind === 'stupid_backoff') return { kind, discount: number('discount', 0.4) };
  if (kind === 'laplace') return { kind, alpha: number('alpha', 0.5) };
  const unknown = Object.keys(body).find((key) => !PARAMETERS.linear.includes(key));
  if (unknown !== undefined)
    throw errors.illegalArgument(`suggester[phrase][smoothing][linear] doesn't support field [${unknown}]`);
  const [trigram, bigram, unigram] = PARAMETERS.linear.map((key) => number(key, 0)) as [number, number, number];
  if (Math.abs(trigram + bigram + unigram - 1) > 0.001)
    throw errors.illegalArgument('linear smoothing lambdas must sum to 1');
  return { kind, trigram, bigram, unigram };
}

interface Counts {
  freq(...words: readonly string[]): number;
  /** Number of occurrences of all terms. */
  readonly occurrences: number;
  /** Number of distinct terms; of documents if the index has several segments, as in Elasticsearch. */
  readonly terms: number;
}

function countsOf(field: string, separator: string, searcher: Searcher): Counts {
  const readers = searcher.segments.flatMap(({ reader }) => reader.terms(field) ?? []);
  const cache = new Map<string, number>();
  const count = (term: string): number =>
    readers.reduce((sum, terms) => {
      const ordinal = terms.lookup(term);
      return ordinal < 0 ? sum : sum + terms.totalTermFreq(ordinal);
    }, 0);
  return {
    occurrences: readers.reduce((sum, terms) => sum + terms.sumTotalTermFreq, 0),
    terms: readers.length === 1 ? readers[0]!.termCount : searcher.maxDoc,
    freq: (...words) => {
      const term = words.join(separator);
      const known = cache.get(term) ?? count(term);
      cache.set(term, known);
      return known;
    },
  };
}

/** Returns the model of a field with a smoothing. */
export function wordModel(field: string, smoothing: Smoothing, separator: string, searcher: Searcher): WordModel {
  const counts = countsOf(field, separator, searcher);
  if (smoothing.kind === 'laplace') return laplaceModel(counts, smoothing.alpha);
  const unigram = (word: string): number => (1 + counts.freq(word)) / (counts.occurrences + counts.terms);
  return smoothing.kind === 'stupid_backoff'
    ? backoffModel(counts, smoothing.discount, unigram)
    : interpolatedModel(counts, smoothing, unigram);
}

function laplaceModel({ freq, occurrences, terms }: Counts, alpha: number): WordModel {
  const smooth = (count: number, before: number): number => (alpha + count) / (before + alpha * terms);
  return {
    unigram: (word) => smooth(freq(word), occurrences),
    bigram: (before, word) => smooth(freq(before, word), freq(before)),
    trigram: (first, before, word) => smooth(freq(first, before, word), freq(first, before)),
  };
}

function backoffModel({ freq }: Counts, discount: number, unigram: WordModel['unigram']): WordModel {
  const bigram: WordModel['bigram'] = (before, word) => {
    const count = freq(before, word);
    return count < 1 ? discount * unigram(word) : count / (freq(before) + EPSILON);
  };
  return {
    unigram,
    bigram,
    trigram: (first, before, word) => {
      const count = freq(first, before, word);
      return count < 1 ? discount * bigram(before, word) : count / (freq(first, before) + EPSILON);
    },
  };
}

function interpolatedModel(
  { freq }: Counts,
  lambda: Extract<Smoothing, { kind: 'linear' }>,
  unigram: WordModel['unigram'],
): WordModel {
  const bigram: WordModel['bigram'] = (before, word) => {
    const count = freq(before, word);
    const rest = lambda.unigram * unigram(word);
    return count < 1 ? rest : lambda.bigram * (count / (0.5 + freq(before))) + rest;
  };
  return {
    unigram,
    bigram,
    trigram: (first, before, word) => {
      const count = freq(first, before, word);
      return count < 1
        ? bigram(before, word)
        : lambda.trigram * (count / (1 + freq(first, before))) + bigram(before, word);
    },
  };
}
