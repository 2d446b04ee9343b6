import { errors } from '@shoal/errors';
import type { Reduced, ReducedBucket } from './reduced.js';

/** One step of a path: a name, a bucket key or a property in brackets, and in the last step a property after a dot. */
export interface PathStep {
  readonly text: string;
  readonly name: string;
  /** Content of the brackets: `'key'` in `terms['key']`, `99.0` in `percentiles[99.0]`; null without brackets. */
  readonly key: string | null;
  readonly metric: string | null;
}

/** A parsed path such as `a['k']>b.c`. */
export interface AggregationPath {
  readonly text: string;
  readonly steps: readonly PathStep[];
  /** Names, keys and properties of all steps in order. */
  readonly names: readonly string[];
  /** What is wrong with the path; null if nothing. */
  readonly fault: string | null;
}

/** Whether a name of a path is the key of a bucket: `'key'`. */
export const isBucketKey = (name: string | null | undefined): name is string =>
  typeof name === 'string' && name.startsWith("'") && name.endsWith("'");

/** Reads the brackets of a step; null if they are malformed. */
function bracketStep(text: string, open: number, isLast: boolean): PathStep | null {
  const close = isLast ? text.lastIndexOf(']') : text.length - 1;
  const dot = isLast ? text.lastIndexOf('.') : -1;
  if (open === 0 || open > text.length - 3 || close < open || text[close] !== ']') return null;
  if (dot < 0 && close !== text.length - 1) return null;
  // Keys may contain dots.
  const metric = dot < close ? null : text.slice(dot + 1);
  return { text, name: text.slice(0, open), key: text.slice(open + 1, close), metric };
}

function stepOf(text: string, isLast: boolean): PathStep | null {
  const open = text.lastIndexOf('[');
  if (open >= 0) return bracketStep(text, open, isLast);
  const dot = isLast ? text.lastIndexOf('.') : -1;
  if (dot < 0) return { text, name: text, key: null, metric: null };
  if (dot === 0 || dot === text.length - 1) return null;
  return { text, name: text.slice(0, dot), key: null, metric: text.slice(dot + 1) };
}

/** The names of a step: the aggregation, a key, a property. */
export const namesOf = ({ name, key, metric }: PathStep): string[] => [name, key, metric].filter((one) => one !== null);

/** Parses a path of `buckets_path` or `order`. Steps are parted by `>` also within brackets, as in Elasticsearch. */
export function parsePath(text: string): AggregationPath {
  const parts = text
    .split('>')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const steps: PathStep[] = [];
  for (const [i, part] of parts.entries()) {
    const step = stepOf(part, i === parts.length - 1);
    if (!step) return { text, steps: [], names: [], fault: `Invalid path element [${part}] in path [${text}]` };
    steps.push(step);
  }
  const fault = steps.length === 0 ? 'Invalid path []' : null;
  return { text, steps, names: steps.flatMap(namesOf), fault };
}

/** Something at the end of a path that is no number, with the name of its class in Elasticsearch's messages. */
export interface NotANumber {
  readonly className: string;
  /** Whether it is a metric with several numbers. */
  readonly isMany: boolean;
}

/** What a path leads to: a number, NaN for a metric without a value, something else, or nothing (undefined). */
export type PathResult = number | NotANumber | undefined;

/** The aggregation whose buckets a path starts from. */
export interface PathOwner {
  readonly name: string;
  /** Whether its keys are dates. */
  readonly hasDateKeys: boolean;
}

/** The owner of the buckets of a result. */
export const ownerOf = (name: string, reduced: Reduced): PathOwner => ({
  name,
  hasDateKeys: reduced.typedName.endsWith('date_histogram'),
});

const other = (className: string): NotANumber => ({ className, isMany: false });

/** Names of results in Elasticsearch's messages that are not made of the name of the type. */
const CLASS_NAMES: Readonly<Record<string, string>> = {
  sterms: 'StringTerms',
  lterms: 'LongTerms',
  dterms: 'DoubleTerms',
};

function camelCase(name: string): string {
  return name.replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());
}

function wholeResult(reduced: Reduced, name: string): PathResult {
  const isMetric = !reduced.buckets && !reduced.subs && reduced.value !== undefined;
  const value = isMetric ? reduced.value!(null) : undefined;
  if (value !== undefined) return value ?? Number.NaN;
  if (reduced.unknownProperty) throw reduced.unknownProperty(name);
  return { className: CLASS_NAMES[reduced.typedName] ?? `Internal${camelCase(reduced.typedName)}`, isMany: isMetric };
}

function keyOf({ key }: ReducedBucket, owner: PathOwner): PathResult {
  if (owner.hasDateKeys) return other('ZonedDateTime');
  return typeof key === 'number' || typeof key === 'bigint' ? Number(key) : other('String');
}

function inBuckets(buckets: readonly ReducedBucket[], owner: PathOwner, names: readonly string[]): PathResult {
  const [first, ...rest] = names;
  if (first === '_bucket_count') return buckets.length;
  if (!isBucketKey(first)) {
    for (const bucket of buckets) valueOfBucket(bucket, names, owner);
    return other('Object[]');
  }
  const bucket = buckets.find((one) => one.keyText === first.slice(1, -1));
  return bucket && valueOfBucket(bucket, rest, owner);
}

function inMetric(reduced: Reduced, name: string, names: readonly string[]): PathResult {
  const value = names.length === 1 ? reduced.value?.(names[0]!) : undefined;
  if (value !== undefined) return value ?? Number.NaN;
  if (names.length === 1 && reduced.unknownProperty) throw reduced.unknownProperty(names[0]!);
  throw errors.illegalArgument(`path not supported for [${name}]: [${names.join(', ')}]`);
}

function inResult(reduced: Reduced, name: string, names: readonly string[]): PathResult {
  if (names.length === 0) return wholeResult(reduced, name);
  if (reduced.buckets) return inBuckets(reduced.buckets, ownerOf(name, reduced), names);
  if (!reduced.subs) return inMetric(reduced, name, names);
  const [first, ...rest] = names;
  if (first === '_count' && rest.length > 0)
    throw errors.illegalArgument('_count must be the last element in the path');
  if (first === '_count') return reduced.docCount;
  const below = reduced.subs.get(first!);
  if (!below) throw errors.illegalArgument(`Cannot find an aggregation named [${first}] in [${name}]`);
  return inResult(below, first!, rest);
}

/**
 * Follows the names of a path from one bucket of `owner`. Throws illegal_argument_exception for a property that the
 * aggregation at the end does not have.
 */
export function valueOfBucket(bucket: ReducedBucket, names: readonly string[], owner: PathOwner): PathResult {
  if (names.length === 0) return other('Bucket');
  const [first, ...rest] = names;
  if (first === '_count') return rest.length === 0 ? bucket.docCount : undefined;
  if (first === '_key') return rest.length === 0 ? keyOf(bucket, owner) : undefined;
  const reduced = bucket.subs.get(first!);
  return reduced && inResult(reduced, first!, rest);
}
