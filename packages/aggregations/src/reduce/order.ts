import { type ApiError, type ErrorLocation, errors } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import type { AggregationNode } from '../aggregation-type.js';
import { fieldFailure, type FieldReader, itemsOf, tokenAfter, tokenName, unsupported } from '../parse/body-fields.js';
import { type AggregationPath, parsePath, type PathStep } from './paths.js';
import type { ReducedBucket, ReducedSubs } from './reduced.js';

/** One criterion of a bucket order. */
export interface OrderPart {
  readonly path: AggregationPath;
  readonly by: 'count' | 'key' | 'sub';
  readonly ascending: boolean;
}

/** Criteria, the most important first; the last one is always `_key`, ascending by default. */
export type BucketOrder = readonly OrderPart[];

const unexpectedToken = (value: unknown, location: ErrorLocation): ApiError =>
  errors.parsing(`Unexpected token [${tokenName(value)}] for [order]`, { location });

function part(name: string, direction: unknown, container: object): OrderPart {
  if (typeof direction !== 'string') throw unexpectedToken(direction, { container, key: name });
  const text = String(direction).toLowerCase();
  if (text !== 'asc' && text !== 'desc')
    throw errors.parsing(`Unknown order direction [${String(direction)}]`, { location: { container, key: name } });
  const by = name === '_count' ? 'count' : name === '_key' ? 'key' : 'sub';
  const path = parsePath(name);
  return { path, by, ascending: text === 'asc' };
}

function partOf(value: object): OrderPart {
  // Of several criteria in one object the last one counts, as in Elasticsearch.
  const parts = Object.entries(value).map(([name, direction]) => part(name, direction, value));
  const last = parts.at(-1);
  if (last) return last;
  const location: ErrorLocation = { container: value, at: 'end' };
  throw errors.parsing('Must specify at least one field for [order]', { location });
}

/** The error of an item of a list that is no object: Elasticsearch reads on behind it as if it were one. */
function noObject(list: readonly unknown[], place: number): ApiError {
  const next = list[place + 1];
  const location: ErrorLocation = { container: list, key: place, at: 'next' };
  if (typeof next !== 'string')
    return errors.parsing(`Unexpected token [${tokenAfter(list, place)}] for [order]`, { location });
  if (/^(?:asc|desc)$/i.test(next)) return noObject(list, place + 1);
  return errors.parsing(`Unknown order direction [${next}]`, { location });
}

/** `_key` ascending, the tie-breaker of every order. */
export const BY_KEY: OrderPart = { path: parsePath('_key'), by: 'key', ascending: true };
/** `_count` descending. */
export const BY_COUNT: OrderPart = { path: parsePath('_count'), by: 'count', ascending: false };

/** Reads `order`: an object, or an array of objects with one key each. */
export const orderField: FieldReader<BucketOrder> = (value, site) => {
  if (typeof value !== 'object' || value === null) throw unsupported(value, site);
  const parts = itemsOf(value, site).map((item, i) => {
    if (!isPlainObject(item.value)) throw noObject(value as unknown[], i);
    return partOf(item.value);
  });
  if (parts.length === 0)
    throw fieldFailure(errors.indexOutOfBounds('Index 0 out of bounds for length 0'), site, 'end');
  const fault = parts.find((one) => one.path.fault !== null)?.path.fault;
  if (fault) throw fieldFailure(errors.illegalArgument(fault), site, 'end');
  return parts.some((one) => one.by === 'key') ? parts : [...parts, BY_KEY];
};

const pathError = (path: AggregationPath, detail: string): ApiError => {
  const cause = errors.illegalArgument(detail);
  return errors.invalidAggregationPath(`Invalid aggregation order path [${path.text}]. ${detail}`, { cause });
};

const SORTABLE =
  'Buckets can only be sorted on a sub-aggregator path that is built out of zero or more single-bucket ' +
  'aggregations within the path and a final single-bucket or a metrics aggregation at the path end.';

/** Returns why buckets cannot be ordered by the last step of a path; null if they can. */
function lastFault({ name, key, metric }: PathStep, { behaviour }: AggregationNode): string | null {
  const property = key ?? metric;
  if (behaviour.shape === 'single') return property === null || property === 'doc_count' ? null : SORTABLE;
  const { numbers } = behaviour;
  if (numbers === undefined) return SORTABLE;
  if (numbers === 'value') {
    const fault =
      'Ordering on a single-value metrics aggregation can only be done on its value. Either drop the key (a la ' +
      `"${name}") or change it to "value" (a la "${name}.value")`;
    return property === null || property === 'value' ? null : fault;
  }
  if (property === null) return 'When ordering on a multi-value metrics aggregation a metric name must be specified.';
  return numbers(property) ? null : `Unknown metric name [${property}] on multi-value metrics aggregation [${name}]`;
}

function checkPart({ path }: OrderPart, node: AggregationNode): void {
  let level = node;
  path.steps.forEach((step, i) => {
    const { name, key } = step;
    const isLast = i === path.steps.length - 1;
    if (!isLast && key !== null)
      throw pathError(path, `Key only allowed on last aggregation path element but got [${step.text}]`);
    const next = level.subs.find((sub) => sub.name === name);
    if (!next) {
      throw pathError(
        path,
        `The provided aggregation [${isLast && key === null ? step.text : name}] either does not exist, or is a ` +
          'pipeline aggregation and cannot be used to sort the buckets.',
      );
    }
    if (!isLast && next.behaviour.shape !== 'single')
      throw pathError(path, `${SORTABLE} [${name}] is not single-bucket.`);
    const fault = isLast ? lastFault(step, next) : null;
    if (fault !== null) throw pathError(path, fault);
    level = next;
  });
}

/** Throws if a path of the order names an aggregation that is not below `node`. */
export function validateOrder(order: BucketOrder, node: AggregationNode): void {
  for (const one of order) if (one.by === 'sub') checkPart(one, node);
}

/** Compares two values. NaN is the largest value: last ascending, first descending. */
function compareValues(a: number, b: number, ascending: boolean): number {
  if (Number.isNaN(a) || Number.isNaN(b))
    return (Number(Number.isNaN(a)) - Number(Number.isNaN(b))) * (ascending ? 1 : -1);
  return a === b ? 0 : a < b === ascending ? -1 : 1;
}

/**
 * Returns the value that a path to a sub-aggregation orders by; a path to a single-bucket aggregation orders by its
 * document count. A metric without values has the initial value of Elasticsearch: -Infinity for a maximum, Infinity for
 * a minimum, otherwise NaN.
 */
function subValue(bucket: ReducedBucket, path: AggregationPath): number {
  let subs: ReducedSubs | undefined = bucket.subs;
  for (const { name } of path.steps.slice(0, -1)) subs = subs?.get(name)?.subs;
  const { name, key, metric } = path.steps.at(-1)!;
  const reduced = subs?.get(name);
  const property = key ?? metric;
  if (reduced?.subs) return reduced.docCount!;
  const value = reduced?.value?.(property);
  if (value !== null && value !== undefined) return value;
  const type = property === null || property === 'value' ? reduced?.typedName : property;
  return type === 'max' ? Number.NEGATIVE_INFINITY : type === 'min' ? Number.POSITIVE_INFINITY : Number.NaN;
}

/** Whether ordering needs the sub-aggregations. */
export function ordersBySubs(order: BucketOrder): boolean {
  return order.some((one) => one.by === 'sub');
}

/** Makes the comparison of buckets for an order; `compareKeys` compares keys ascending. */
export function bucketComparator(
  order: BucketOrder,
  compareKeys: (a: ReducedBucket, b: ReducedBucket) => number,
): (a: ReducedBucket, b: ReducedBucket) => number {
  return (a, b) => {
    for (const { by, path, ascending } of order) {
      const result =
        by === 'count'
          ? ascending
            ? a.docCount - b.docCount
            : b.docCount - a.docCount
          : by === 'key'
            ? ascending
              ? compareKeys(a, b)
              : compareKeys(b, a)
            : compareValues(subValue(a, path), subValue(b, path), ascending);
      if (result !== 0) return result;
    }
    return 0;
  };
}
