import { errors } from '@shoal/errors';
import { isPlainObject, type JsonObject, setOwn } from '@shoal/json';
import { documentId } from './document-id.js';
import type { GroupSource } from './group-sources.js';
import type { PivotConfig, TransformSettings } from './transform-config.js';

/** A document of the destination. */
export interface MadeDocument {
  readonly id: string;
  readonly source: JsonObject;
}

/** What a page of groups became. */
export interface MadePage {
  readonly documents: readonly MadeDocument[];
  /** Where the next page begins; null behind the last. */
  readonly after: JsonObject | null;
  /** Documents of the source that the page is made of. */
  readonly read: number;
}

/** Name of the composite aggregation in requests. */
const GROUPS = '_transform';

/** How the result of an aggregation becomes a value of a document. */
type Extract = (result: JsonObject, settings: TransformSettings) => unknown;

const single: Extract = (result) => result['value'] ?? null;
/** Numbers of dates print as dates, unless the aggregation is about numbers. */
const singleAsShown: Extract = (result, { datesAsEpochMillis }) =>
  (datesAsEpochMillis ? undefined : result['value_as_string']) ?? result['value'] ?? null;
const members =
  (...names: readonly string[]): Extract =>
  (result) =>
    Object.fromEntries(names.map((name) => [name, result[name] ?? null]));

const percentiles: Extract = (result) => {
  const values = result['values'] as JsonObject | readonly { key: number; value: unknown }[];
  const entries = Array.isArray(values)
    ? values.map(({ key, value }) => [String(key), value] as const)
    : Object.entries(values);
  // Dots in names would make objects: 99.9 is the member 99_9, and 50.0 the member 50.
  return Object.fromEntries(entries.map(([key, value]) => [String(Number(key)).replace('.', '_'), value]));
};

const inner: Extract = (result, settings) => {
  const below = Object.entries(result).filter(([, value]) => isPlainObject(value));
  return below.length === 0
    ? result['doc_count']
    : Object.fromEntries(below.map(([name, value]) => [name, plainValue(value as JsonObject, settings)]));
};

const buckets: Extract = (result, settings) => {
  const given = result['buckets'] as readonly JsonObject[] | JsonObject;
  const list: readonly (readonly [string, JsonObject])[] = Array.isArray(given)
    ? given.map((bucket: JsonObject) => [bucketName(bucket), bucket] as const)
    : (Object.entries(given) as [string, JsonObject][]);
  return Object.fromEntries(list.map(([name, bucket]) => [name, inner(bucket, settings)]));
};

const bucketName = (bucket: JsonObject): string =>
  String(bucket['key_as_string'] ?? bucket['key'] ?? '').replaceAll('.', '_');

const topMetrics: Extract = (result) => (result['top'] as readonly { metrics: unknown }[])[0]?.metrics ?? null;

const EXTRACTS: Readonly<Record<string, Extract>> = {
  avg: single,
  sum: single,
  min: singleAsShown,
  max: singleAsShown,
  value_count: single,
  cardinality: single,
  weighted_avg: single,
  median_absolute_deviation: single,
  scripted_metric: single,
  bucket_script: single,
  stats: members('count', 'min', 'max', 'avg', 'sum'),
  percentiles,
  geo_centroid: (result) => result['location'] ?? null,
  geo_bounds: (result) => boundsShape(result['bounds'] as JsonObject | undefined),
  top_metrics: topMetrics,
  terms: buckets,
  rare_terms: buckets,
  range: buckets,
  filter: inner,
  missing: inner,
};

/** Aggregations that leave no value of their own: they only choose buckets. */
const SILENT: ReadonlySet<string> = new Set(['bucket_selector']);
const BELOW = ['aggs', 'aggregations', 'meta'];

function boundsShape(bounds: JsonObject | undefined): unknown {
  if (bounds === undefined) return null;
  const { top_left: a, bottom_right: b } = bounds as Record<string, { lat: number; lon: number }>;
  if (a!.lat === b!.lat && a!.lon === b!.lon) return { type: 'point', coordinates: [a!.lon, a!.lat] };
  return {
    type: 'polygon',
    coordinates: [
      [
        [a!.lon, a!.lat],
        [b!.lon, a!.lat],
        [b!.lon, b!.lat],
        [a!.lon, b!.lat],
        [a!.lon, a!.lat],
      ],
    ],
  };
}

/** Returns the type of an aggregation of a request. */
export function aggregationType(body: JsonObject): string {
  return Object.keys(body).find((key) => !BELOW.includes(key)) ?? '';
}

/** Throws for aggregations whose results are no part of a document. */
export function checkAggregations(aggregations: JsonObject): void {
  for (const body of Object.values(aggregations)) {
    if (!isPlainObject(body)) continue;
    const type = aggregationType(body);
    if (EXTRACTS[type] === undefined && !SILENT.has(type))
      throw errors.actionRequestValidation(`Validation Failed: 1: Unsupported aggregation type [${type}];`);
    const below = body['aggs'] ?? body['aggregations'];
    if (isPlainObject(below)) checkAggregations(below);
  }
}

/** Returns how many aggregations a group has, over all levels. */
export function countAggregations(aggregations: JsonObject): number {
  return Object.values(aggregations).reduce<number>((sum, body) => {
    if (!isPlainObject(body)) return sum;
    const below = body['aggs'] ?? body['aggregations'];
    return sum + 1 + (isPlainObject(below) ? countAggregations(below) : 0);
  }, 0);
}

/** Value of an aggregation below a bucket, whose type its form tells. */
function plainValue(result: JsonObject, settings: TransformSettings): unknown {
  if ('buckets' in result) return buckets(result, settings);
  if ('values' in result) return percentiles(result, settings);
  if ('top' in result) return topMetrics(result, settings);
  if ('value' in result) return singleAsShown(result, settings);
  return 'doc_count' in result ? inner(result, settings) : result;
}

/** Returns the `sources` of the composite aggregation of some groups. */
const compositeSources = (groups: readonly GroupSource[]): JsonObject[] =>
  groups.map(({ name, type, body }) => ({ [name]: { [type]: body } }));

/** Returns the aggregations of a search for a page of groups; with `aggregations` null for their keys alone. */
export function groupsRequest(
  groups: readonly GroupSource[],
  aggregations: JsonObject | null,
  size: number,
  after: JsonObject | null,
): JsonObject {
  const composite = { sources: compositeSources(groups), size, ...(after === null ? {} : { after }) };
  return { [GROUPS]: { composite, ...(aggregations === null ? {} : { aggregations }) } };
}

interface CompositeBucket extends JsonObject {
  readonly key: JsonObject;
  readonly doc_count: number;
}

interface CompositeResult {
  readonly buckets: readonly CompositeBucket[];
  readonly after_key?: JsonObject;
}

/** Returns the composite aggregation of an answer. */
export function groupsOf(answer: JsonObject): CompositeResult {
  return (answer['aggregations'] as Record<string, unknown> | undefined)?.[GROUPS] as CompositeResult;
}

/** Returns an answer without the buckets whose keys are not wanted; the place of the next page stays. */
export function withBuckets(answer: JsonObject, isWanted: (key: JsonObject) => boolean): JsonObject {
  const result = groupsOf(answer);
  const buckets = result.buckets.filter(({ key }) => isWanted(key));
  return { ...answer, aggregations: { [GROUPS]: { ...result, buckets } } };
}

/** Makes the documents of a page of groups. */
export function pivotPage(answer: JsonObject, config: PivotConfig, settings: TransformSettings): MadePage {
  const result = groupsOf(answer);
  return {
    documents: result.buckets.map((bucket) => documentOf(bucket, config, settings)),
    after: result.after_key ?? null,
    read: result.buckets.reduce((sum, { doc_count: count }) => sum + count, 0),
  };
}

function documentOf(
  bucket: CompositeBucket,
  { groups, aggregations }: PivotConfig,
  settings: TransformSettings,
): MadeDocument {
  const source: Record<string, unknown> = {};
  for (const group of groups) setAt(source, group.name, keyValue(bucket.key[group.name], group, settings));
  for (const [name, body] of Object.entries(aggregations)) {
    const extract = EXTRACTS[aggregationType(body as JsonObject)];
    const result = bucket[name] as JsonObject | undefined;
    if (extract !== undefined && result !== undefined) setAt(source, name, extract(result, settings));
  }
  return { id: documentId(groups.map(({ name }) => bucket.key[name] ?? null)), source };
}

/** The key of a group as its field holds it. */
function keyValue(key: unknown, { type }: GroupSource, { datesAsEpochMillis }: TransformSettings): unknown {
  if (key === null || key === undefined) return null;
  if (type === 'date_histogram' && !datesAsEpochMillis && typeof key === 'number') return new Date(key).toISOString();
  return type === 'geotile_grid' ? tileShape(String(key)) : key;
}

/** The area of a map tile `zoom/x/y` as a polygon. Source: OpenStreetMap wiki, "Slippy map tilenames". */
function tileShape(tile: string): unknown {
  const [zoom, x, y] = tile.split('/').map(Number) as [number, number, number];
  const tiles = 2 ** zoom;
  const lon = (column: number): number => (column / tiles) * 360 - 180;
  const lat = (row: number): number => (Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / tiles))) * 180) / Math.PI;
  const [west, east, north, south] = [lon(x), lon(x + 1), lat(y), lat(y + 1)];
  const ring = [
    [east, south],
    [west, south],
    [west, north],
    [east, north],
    [east, south],
  ];
  return { type: 'Polygon', coordinates: [ring] };
}

/** Sets a value at a path whose dots are objects. */
function setAt(target: Record<string, unknown>, path: string, value: unknown): void {
  const keys = path.split('.');
  let at = target;
  for (const key of keys.slice(0, -1)) {
    if (!isPlainObject(at[key]) || !Object.hasOwn(at, key)) setOwn(at, key, {});
    at = at[key] as Record<string, unknown>;
  }
  setOwn(at, keys.at(-1)!, value);
}
