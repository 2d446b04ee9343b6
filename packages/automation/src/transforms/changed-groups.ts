import { type JsonObject, stringify } from '@shoal/json';
import { groupRounding } from './group-rounding.js';
import type { GroupSource } from './group-sources.js';
import { groupsOf, withBuckets } from './pivot.js';
import type { TransformConfig } from './transform-config.js';

/** Span of the field of `sync` that a checkpoint covers, in milliseconds: from the end of the one before. */
export interface CheckpointSpan {
  /** Null for the first checkpoint. */
  readonly fromMs: number | null;
  readonly toMs: number;
}

const range = (field: string, bounds: JsonObject): JsonObject => ({
  range: { [field]: { ...bounds, format: 'epoch_millis' } },
});

const withFilters = (query: JsonObject, filters: readonly JsonObject[]): JsonObject =>
  filters.length === 0 ? query : { bool: { filter: [query, ...filters] } };

/** Returns the query of all documents of a checkpoint: what arrived until its end. */
export function queryUntil({ source, sync }: TransformConfig, { toMs }: CheckpointSpan): JsonObject {
  return sync === null ? source.query : withFilters(source.query, [range(sync.field, { lt: toMs })]);
}

/** Returns the query of the documents that arrived since the checkpoint before. */
export function queryChanged({ source, sync }: TransformConfig, { fromMs, toMs }: CheckpointSpan): JsonObject {
  if (sync === null || fromMs === null) return source.query;
  return withFilters(source.query, [range(sync.field, { gte: fromMs, lt: toMs })]);
}

/**
 * Returns a query of all documents of the groups of an answer: each has one of the values that changed documents have.
 * It also finds some documents of other groups; `onlyGroups` leaves those out.
 */
export function queryOfGroups(
  config: TransformConfig,
  groups: readonly GroupSource[],
  answer: JsonObject,
  span: CheckpointSpan,
): JsonObject {
  const { buckets } = groupsOf(answer);
  const filters = groups.flatMap((group): readonly JsonObject[] => {
    const filter = filterOf(
      group,
      buckets.map(({ key }) => key[group.name] ?? null),
    );
    return filter === null ? [] : [filter];
  });
  return withFilters(queryUntil(config, span), filters);
}

/** Whether `queryOfGroups` can tell documents of some groups by the values of this one. */
export const narrows = (group: GroupSource): boolean => group.field !== null && filterValues(group, [0]) !== null;

function filterOf(group: GroupSource, keys: readonly unknown[]): JsonObject | null {
  const { field } = group;
  if (field === null || !narrows(group)) return null;
  const present = [...new Set(keys.filter((key) => key !== null))];
  const filters: JsonObject[] = present.length === 0 ? [] : [filterValues(group, present)!];
  if (keys.includes(null)) filters.push({ bool: { must_not: [{ exists: { field } }] } });
  return filters.length === 1 ? filters[0]! : { bool: { should: filters, minimum_should_match: 1 } };
}

/** Query of the documents that have one of some keys of a group, and perhaps neighbours; null for groups without. */
function filterValues({ type, field, body }: GroupSource, keys: readonly unknown[]): JsonObject | null {
  if (type === 'terms') return { terms: { [field!]: keys } };
  const numbers = keys.filter((key) => typeof key === 'number');
  // Keys with a format are texts.
  if (numbers.length < keys.length || body['format'] !== undefined) return null;
  // Not spread: a page has up to 65,536 keys.
  const least = numbers.reduce((a, b) => Math.min(a, b));
  const most = numbers.reduce((a, b) => Math.max(a, b));
  if (type === 'date_histogram') return range(field!, { gte: least, lt: groupRounding(body).next(most) });
  const { interval } = body;
  if (type !== 'histogram' || typeof interval !== 'number') return null;
  // An interval more at both ends, for keys are rounded.
  return { range: { [field!]: { gte: least - interval, lte: most + 2 * interval } } };
}

/**
 * Returns an answer with only those buckets that are groups of `changed`. `queryOfGroups` also finds documents of other
 * groups, those with several values and neighbours of an interval, but not all documents of such groups.
 */
export function onlyGroups(answer: JsonObject, groups: readonly GroupSource[], changed: JsonObject): JsonObject {
  const textOf = (key: JsonObject): string => stringify(groups.map(({ name }) => key[name] ?? null));
  const wanted = new Set(groupsOf(changed).buckets.map(({ key }) => textOf(key)));
  return withBuckets(answer, (key) => wanted.has(textOf(key)));
}

/** Returns the end of a checkpoint: no bucket of the synced field is cut in two, unless the transform says so. */
export function alignedEnd({ sync, function: made, settings }: TransformConfig, toMs: number): number {
  if (sync === null || !settings.alignCheckpoints || made.kind !== 'pivot') return toMs;
  const group = made.groups.find(({ type, field }) => type === 'date_histogram' && field === sync.field);
  return group === undefined ? toMs : groupRounding(group.body).floor(toMs);
}
