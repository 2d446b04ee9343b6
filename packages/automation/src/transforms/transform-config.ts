import { errors } from '@shoal/errors';
import { isPlainObject, type JsonObject } from '@shoal/json';
import { parseTimeValue } from '@shoal/values';
import { type GroupSource, parseGroups } from './group-sources.js';
import { bodyReader } from '@shoal/json';

/** Settings of a transform; null where the default is used. */
export interface TransformSettings {
  readonly maxPageSearchSize: number;
  /** Documents that are read a second; null for no limit. */
  readonly docsPerSecond: number | null;
  readonly datesAsEpochMillis: boolean;
  readonly alignCheckpoints: boolean;
  readonly deduceMappings: boolean;
  readonly usePointInTime: boolean;
  /** -1 for no limit. */
  readonly failureRetries: number;
  readonly unattended: boolean;
}

/** A group-by with aggregations: a document for each group. */
export interface PivotConfig {
  readonly kind: 'pivot';
  readonly groups: readonly GroupSource[];
  readonly aggregations: JsonObject;
}

/** The newest document of each group. */
export interface LatestConfig {
  readonly kind: 'latest';
  readonly uniqueKey: readonly string[];
  readonly sort: string;
}

/** A transform, parsed. */
export interface TransformConfig {
  readonly id: string;
  readonly source: { readonly index: readonly string[]; readonly query: JsonObject; readonly runtime: JsonObject };
  readonly dest: {
    readonly index: string;
    readonly pipeline: string | null;
    readonly aliases: readonly { readonly alias: string; readonly movesOnCreation: boolean }[];
  };
  readonly function: PivotConfig | LatestConfig;
  readonly frequencyMs: number;
  /** Null for a batch transform, which ends with its first checkpoint. */
  readonly sync: { readonly field: string; readonly delayMs: number } | null;
  readonly retention: { readonly field: string; readonly maxAgeMs: number } | null;
  readonly settings: TransformSettings;
  /** The body as it was given, in the form in which the API shows it. */
  readonly json: JsonObject;
}

const ID_PATTERN = /^[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?$/;
const ID_LENGTH_MAX = 64;
const [FREQUENCY_MIN_MS, FREQUENCY_MAX_MS] = [1000, 3_600_000];
const DEFAULT_FREQUENCY_MS = 60_000;
const DEFAULT_DELAY_MS = 60_000;
const KEYS = [
  'source',
  'dest',
  'pivot',
  'latest',
  'description',
  'frequency',
  'sync',
  'retention_policy',
  'settings',
  '_meta',
];

/** Throws illegal_argument_exception for an id that no transform may have. */
export function checkTransformId(id: string): void {
  if (id.length > ID_LENGTH_MAX)
    throw errors.illegalArgument(`The id cannot contain more than [${ID_LENGTH_MAX}] characters.`);
  if (!ID_PATTERN.test(id))
    throw errors.actionRequestValidation(
      `Validation Failed: 1: Transform id can contain lowercase alphanumeric (a-z and 0-9), hyphens or underscores; ` +
        `must start and end with alphanumeric;`,
    );
}

/** Reads the body of a transform. Throws errors of malformed bodies in the words of Elasticsearch. */
export function parseTransform(id: string, body: unknown): TransformConfig {
  const read = bodyReader('data_frame_transform_config', body);
  read.onlyKeys(KEYS);
  const source = parseSource(read.object('source'));
  const dest = parseDest(read.object('dest'));
  const pivot = read.optionalObject('pivot');
  const latest = read.optionalObject('latest');
  if ((pivot === null) === (latest === null))
    throw errors.illegalArgument(
      pivot === null
        ? 'Required one of fields [pivot, latest], but none were specified. '
        : 'The following fields are not allowed together: [pivot, latest]',
    );
  return {
    id,
    source,
    dest,
    function: pivot === null ? parseLatest(latest!) : parsePivot(pivot),
    frequencyMs: parseFrequency(read.optionalText('frequency')),
    sync: parseSync(read.optionalObject('sync')),
    retention: parseRetention(read.optionalObject('retention_policy')),
    settings: parseSettings(read.optionalObject('settings')),
    json: shownJson(body as JsonObject),
  };
}

/** The body with lists of indices and the default query, as 8.12 shows it. */
function shownJson(body: JsonObject): JsonObject {
  const source = body['source'] as JsonObject;
  return {
    ...body,
    source: { ...source, index: [source['index']].flat(), query: source['query'] ?? { match_all: {} } },
    settings: body['settings'] ?? {},
  };
}

function parseSource(body: JsonObject): TransformConfig['source'] {
  const read = bodyReader('data_frame_config_source', body);
  read.onlyKeys(['index', 'query', 'runtime_mappings']);
  const index = [body['index'] ?? []].flat();
  if (index.length === 0 || index.some((name) => typeof name !== 'string' || name === ''))
    throw errors.illegalArgument('source.index must not be null or empty');
  return {
    index: index as string[],
    query: read.optionalObject('query') ?? { match_all: {} },
    runtime: read.optionalObject('runtime_mappings') ?? {},
  };
}

function parseDest(body: JsonObject): TransformConfig['dest'] {
  const read = bodyReader('data_frame_config_dest', body);
  read.onlyKeys(['index', 'pipeline', 'aliases']);
  const index = read.text('index');
  if (index === '') throw errors.illegalArgument('dest.index must not be empty');
  const aliases = [body['aliases'] ?? []].flat().map((item) => {
    const alias = bodyReader('data_frame_config_dest_alias', typeof item === 'string' ? { alias: item } : item);
    alias.onlyKeys(['alias', 'move_on_creation']);
    return { alias: alias.text('alias'), movesOnCreation: alias.optionalBoolean('move_on_creation') ?? false };
  });
  return { index, pipeline: read.optionalText('pipeline'), aliases };
}

function parsePivot(body: JsonObject): PivotConfig {
  const read = bodyReader('data_frame_transform_pivot', body);
  read.onlyKeys(['group_by', 'aggregations', 'aggs', 'max_page_search_size']);
  const aggregations = read.optionalObject('aggregations') ?? read.optionalObject('aggs');
  if (aggregations === null)
    throw errors.illegalArgument('Required one of fields [aggregations, aggs], but none were specified. ');
  return { kind: 'pivot', groups: parseGroups(read.object('group_by')), aggregations };
}

function parseLatest(body: JsonObject): LatestConfig {
  const read = bodyReader('latest_config', body);
  read.onlyKeys(['unique_key', 'sort']);
  const uniqueKey = [body['unique_key'] ?? []].flat();
  if (uniqueKey.length === 0)
    throw errors.actionRequestValidation('Validation Failed: 1: latest.unique_key must be non-empty;');
  if (uniqueKey.some((name) => typeof name !== 'string' || name === ''))
    throw errors.actionRequestValidation('Validation Failed: 1: latest.unique_key[0] element must be non-empty;');
  const twice = uniqueKey.find((name, i) => uniqueKey.indexOf(name) !== i);
  if (twice !== undefined)
    throw errors.actionRequestValidation(
      `Validation Failed: 1: latest.unique_key elements must be unique, found duplicate element [${String(twice)}];`,
    );
  const sort = read.text('sort');
  if (sort === '') throw errors.actionRequestValidation('Validation Failed: 1: latest.sort must be non-empty;');
  return { kind: 'latest', uniqueKey: uniqueKey as string[], sort };
}

function parseFrequency(text: string | null): number {
  if (text === null) return DEFAULT_FREQUENCY_MS;
  const ms = parseTimeValue(text, 'frequency');
  if (ms < FREQUENCY_MIN_MS)
    throw errors.actionRequestValidation(`Validation Failed: 1: minimum permitted [frequency] is [1s];`);
  if (ms > FREQUENCY_MAX_MS)
    throw errors.actionRequestValidation(`Validation Failed: 1: highest permitted [frequency] is [1h];`);
  return ms;
}

function timeSection(body: JsonObject, name: string, keys: readonly string[]): ReturnType<typeof bodyReader> {
  const outer = bodyReader(name, body);
  outer.onlyKeys(['time']);
  const read = bodyReader(`${name}_time`, outer.object('time'));
  read.onlyKeys(keys);
  return read;
}

function parseSync(body: JsonObject | null): TransformConfig['sync'] {
  if (body === null) return null;
  const read = timeSection(body, 'data_frame_transform_pivot_sync', ['field', 'delay']);
  const delay = read.optionalText('delay');
  return { field: read.text('field'), delayMs: delay === null ? DEFAULT_DELAY_MS : parseTimeValue(delay, 'delay') };
}

function parseRetention(body: JsonObject | null): TransformConfig['retention'] {
  if (body === null) return null;
  const read = timeSection(body, 'transform_retention_policy', ['field', 'max_age']);
  return { field: read.text('field'), maxAgeMs: parseTimeValue(read.text('max_age'), 'max_age') };
}

const PAGE_SIZES = { min: 10, max: 65_536, default: 500 };
const DEFAULT_RETRIES = 10;

function parseSettings(body: JsonObject | null): TransformSettings {
  const read = bodyReader('transform_config_settings', body ?? {});
  read.onlyKeys([
    'max_page_search_size',
    'docs_per_second',
    'dates_as_epoch_millis',
    'align_checkpoints',
    'deduce_mappings',
    'use_point_in_time',
    'num_failure_retries',
    'unattended',
  ]);
  const pageSize = read.optionalNumber('max_page_search_size') ?? PAGE_SIZES.default;
  if (pageSize < PAGE_SIZES.min || pageSize > PAGE_SIZES.max)
    throw errors.actionRequestValidation(
      `Validation Failed: 1: settings.max_page_search_size [${pageSize}] is out of range. The minimum value is ` +
        `${PAGE_SIZES.min} and the maximum is ${PAGE_SIZES.max};`,
    );
  const retries = read.optionalNumber('num_failure_retries') ?? DEFAULT_RETRIES;
  if (retries < -1 || retries > 100)
    throw errors.actionRequestValidation(
      `Validation Failed: 1: settings.num_failure_retries [${retries}] is out of range. The minimum value is -1 ` +
        '(infinity) and the maximum is 100;',
    );
  const docsPerSecond = read.optionalNumber('docs_per_second');
  const isUnattended = read.optionalBoolean('unattended') ?? false;
  return {
    maxPageSearchSize: pageSize,
    docsPerSecond: docsPerSecond !== null && docsPerSecond > 0 ? docsPerSecond : null,
    datesAsEpochMillis: read.optionalBoolean('dates_as_epoch_millis') ?? false,
    alignCheckpoints: read.optionalBoolean('align_checkpoints') ?? true,
    deduceMappings: read.optionalBoolean('deduce_mappings') ?? true,
    usePointInTime: read.optionalBoolean('use_point_in_time') ?? true,
    failureRetries: isUnattended ? -1 : retries,
    unattended: isUnattended,
  };
}

/** Returns the body of a transform with the changes of an `_update`. */
export function updatedBody(body: JsonObject, changes: unknown): JsonObject {
  const read = bodyReader('data_frame_transform_config_update', changes);
  read.onlyKeys(KEYS.filter((key) => key !== 'pivot' && key !== 'latest'));
  const given = changes as JsonObject;
  const merged = { ...body, ...given };
  if (isPlainObject(given['settings']) && isPlainObject(body['settings']))
    merged['settings'] = { ...body['settings'], ...given['settings'] };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null));
}
