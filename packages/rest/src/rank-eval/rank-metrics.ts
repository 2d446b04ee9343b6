import { type ApiError, errors } from '@shoal/errors';
import { isPlainObject, type JsonObject } from '@shoal/json';
import { didYouMean } from '@shoal/values';

/** A document that a search found, with the rating that it was given; null if it has none. */
export interface RatedHit {
  readonly rating: number | null;
}

/** How well a search ranks rated documents: a number from 0 on, and what it was made of. */
export interface RankScore {
  readonly score: number;
  readonly details: JsonObject;
}

/** A metric with its parameters. */
export interface RankMetric {
  readonly name: string;
  /** Number of hits that are looked at. */
  readonly k: number;
  /** Returns the score of one search. `ratings` are those of all rated documents, found or not. */
  evaluate(hits: readonly RatedHit[], ratings: readonly number[]): RankScore;
}

/** Parameters of a metric by name, with their defaults; undefined for those that must be given. */
type Defaults = Readonly<Record<string, number | boolean | null | undefined>>;
type Given = Readonly<Record<string, number | boolean | null>>;

interface MetricType {
  readonly defaults: Defaults;
  make(given: Given): RankMetric['evaluate'];
}

const isRelevant = (threshold: number): ((hit: RatedHit) => boolean) => {
  return ({ rating }) => rating !== null && rating >= threshold;
};

function precision(given: Given): RankMetric['evaluate'] {
  const relevant = isRelevant(Number(given['relevant_rating_threshold']));
  return (hits) => {
    const counted = given['ignore_unlabeled'] === true ? hits.filter(({ rating }) => rating !== null) : hits;
    const found = counted.filter(relevant).length;
    return {
      score: counted.length === 0 ? 0 : found / counted.length,
      details: { relevant_docs_retrieved: found, docs_retrieved: counted.length },
    };
  };
}

function recall(given: Given): RankMetric['evaluate'] {
  const threshold = Number(given['relevant_rating_threshold']);
  return (hits, ratings) => {
    const found = hits.filter(isRelevant(threshold)).length;
    const all = ratings.filter((rating) => rating >= threshold).length;
    return { score: all === 0 ? 0 : found / all, details: { relevant_docs_retrieved: found, relevant_docs: all } };
  };
}

function meanReciprocalRank(given: Given): RankMetric['evaluate'] {
  const relevant = isRelevant(Number(given['relevant_rating_threshold']));
  return (hits) => {
    const at = hits.findIndex(relevant);
    return { score: at < 0 ? 0 : 1 / (at + 1), details: { first_relevant: at < 0 ? -1 : at + 1 } };
  };
}

/** Discounted cumulative gain (Järvelin and Kekäläinen, 2002), with gains of 2^rating - 1. */
function gainOf(ratings: readonly (number | null)[]): number {
  return ratings.reduce<number>(
    (sum, rating, i) => (rating === null ? sum : sum + (2 ** rating - 1) / Math.log2(i + 2)),
    0,
  );
}

const unratedIn = (hits: readonly RatedHit[]): number => hits.filter(({ rating }) => rating === null).length;

function withUnknown(hits: readonly RatedHit[], unknown: number | null): (number | null)[] {
  return hits.map(({ rating }) => rating ?? unknown);
}

function discountedGain(given: Given): RankMetric['evaluate'] {
  const unknown = given['unknown_doc_rating'] as number | null;
  return (hits, ratings) => {
    const dcg = gainOf(withUnknown(hits, unknown));
    const unrated = unratedIn(hits);
    if (given['normalize'] !== true) return { score: dcg, details: { dcg, unrated_docs: unrated } };
    const best = [...ratings].sort((a, b) => b - a).slice(0, hits.length);
    const ideal = gainOf(best);
    const normalized = ideal === 0 ? 0 : dcg / ideal;
    return {
      score: normalized,
      details: { dcg, ideal_dcg: ideal, normalized_dcg: normalized, unrated_docs: unrated },
    };
  };
}

/** Expected reciprocal rank (Chapelle et al., 2009): the chance that a user stops at each hit. */
function expectedReciprocalRank(given: Given): RankMetric['evaluate'] {
  const maximum = 2 ** Number(given['maximum_relevance']);
  return (hits) => {
    let score = 0;
    let goesOn = 1;
    withUnknown(hits, given['unknown_doc_rating'] as number | null).forEach((rating, i) => {
      if (rating === null) return;
      const stops = (2 ** rating - 1) / maximum;
      score += (goesOn * stops) / (i + 1);
      goesOn *= 1 - stops;
    });
    return { score, details: { unrated_docs: unratedIn(hits) } };
  };
}

const THRESHOLD = { relevant_rating_threshold: 1 } as const;

const TYPES: ReadonlyMap<string, MetricType> = new Map<string, MetricType>([
  ['precision', { defaults: { ...THRESHOLD, ignore_unlabeled: false, k: 10 }, make: precision }],
  ['recall', { defaults: { ...THRESHOLD, k: 10 }, make: recall }],
  ['mean_reciprocal_rank', { defaults: { ...THRESHOLD, k: 10 }, make: meanReciprocalRank }],
  ['dcg', { defaults: { normalize: false, unknown_doc_rating: null, k: 10 }, make: discountedGain }],
  [
    'expected_reciprocal_rank',
    { defaults: { maximum_relevance: undefined, unknown_doc_rating: null, k: 10 }, make: expectedReciprocalRank },
  ],
]);

/** Parses the member `metric` of a ranking evaluation. Throws its errors in 8.12's words. */
export function parseMetric(body: unknown): RankMetric {
  try {
    return metricOf(body);
  } catch (error) {
    throw errors.xContentParse('[rank_eval] failed to parse field [metric]', { cause: error as ApiError });
  }
}

function metricOf(body: unknown): RankMetric {
  const [name] = isPlainObject(body) ? Object.keys(body) : [];
  if (name === undefined || !isPlainObject(body)) throw errors.illegalArgument('Required [metric]');
  const type = TYPES.get(name);
  if (type === undefined)
    throw errors.namedObjectNotFound(`unknown field [${name}]${didYouMean(name, [...TYPES.keys()])}`);
  const given = parametersOf(name, body[name], type.defaults);
  const k = Number(given['k']);
  const refusal = refusalOf(k, given);
  if (refusal !== null)
    throw errors.xContentParse(`Failed to build [${name}] after last required field arrived`, {
      cause: errors.illegalArgument(refusal),
    });
  return { name, k, evaluate: type.make(given) };
}

function refusalOf(k: number, given: Given): string | null {
  if (k <= 0) return 'Window size k must be positive.';
  const threshold = given['relevant_rating_threshold'];
  return typeof threshold === 'number' && threshold < 0
    ? 'Relevant rating threshold for precision must be positive integer.'
    : null;
}

function parametersOf(name: string, body: unknown, defaults: Defaults): Given {
  if (!isPlainObject(body)) throw errors.xContentParse(`[${name}] expected an object`);
  const found: Record<string, number | boolean | null> = {};
  for (const [key, value] of Object.entries(body)) {
    if (!Object.hasOwn(defaults, key))
      throw errors.xContentParse(`[${name}] unknown field [${key}]${didYouMean(key, Object.keys(defaults))}`);
    found[key] = typeof defaults[key] === 'boolean' ? booleanOf(name, key, value) : wholeNumber(name, key, value);
  }
  for (const [key, value] of Object.entries(defaults)) {
    if (found[key] !== undefined) continue;
    if (value === undefined) throw errors.illegalArgument(`Required [${key}]`);
    found[key] = value;
  }
  return found;
}

function booleanOf(name: string, key: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw errors.xContentParse(`[${name}] failed to parse field [${key}]`);
}

/** Parses a whole number of 32 bits. */
export function wholeNumber(name: string, key: string, value: unknown): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && Number.isInteger(number) && Math.abs(number) < 2 ** 31) return number;
  throw errors.xContentParse(`[${name}] failed to parse field [${key}]`);
}
