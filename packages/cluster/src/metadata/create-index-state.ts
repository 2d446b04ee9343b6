import { errors } from '@shoal/errors';
import { type Mapping, type MappingOptions, noColumnError } from '@shoal/mapping';
import { unassignedRouting } from '../allocation/unassigned.js';
import {
  validateNewAlias,
  dataStream,
  validateIndexName,
  invalidIndexName,
  aliasIndex,
  type FlatSettings,
  validateIndexSettings,
  type AliasMetadata,
  type ClusterState,
  type IndexMetadata,
  type ShardRouting,
  nameIndex,
  isTimeSeries,
} from '@shoal/state';
import { refreshBlocks } from './refresh-blocks.js';
import { defaultRoutingShards } from './routing-shards.js';
import { validateSettingsTogether } from './validate-settings-together.js';
import { validateSimilarities } from './validate-similarities.js';
import { withIndex, withRouting } from './edit-state.js';
import { expandedReplicas } from '../allocation/replicas.js';
import { buildIndex, completeSettings, type NewIndex } from './build-index.js';
import { checkFieldLimit } from './field-limit.js';
import { refuseNestedSort, sortList } from './index-sort.js';
import { checkShardLimit } from './shard-limit.js';
import type { TaskContext } from '../tasks/task.js';
import { type Composition, compositionFor } from '../templates/compose.js';
import { mergeDefaults } from '../templates/merge-defaults.js';

/** The field that each document of a data stream, and of an index of time series, has. */
export const TIMESTAMP_MAPPING = {
  _data_stream_timestamp: { enabled: true },
  properties: { '@timestamp': { type: 'date' } },
};

/** Adds the field `@timestamp`, which an index of time series always has, to the mappings of templates. */
function withTimestamp(composition: Composition, settings: FlatSettings): Composition {
  if (!isTimeSeries({ settings })) return composition;
  return { ...composition, mappings: [TIMESTAMP_MAPPING, ...composition.mappings] };
}

/** Makes the error for what would route documents of time series by something else than their fields. */
export function routingForbidden(): Error {
  return errors.illegalArgument(
    'routing is forbidden on CRUD operations that target indices in [index.mode=time_series]',
  );
}

/** Whether an alias routes. */
export const hasRouting = ({ indexRouting, searchRouting }: AliasMetadata): boolean =>
  indexRouting !== undefined || searchRouting !== undefined;

/** A parsed request for a new index. */
export interface CreateIndexRequest {
  readonly name: string;
  /** The name as the client wrote it, before date math is resolved. */
  readonly providedName: string;
  /** Flat settings of the request. */
  readonly settings: FlatSettings;
  readonly mappings: Readonly<Record<string, unknown>> | null;
  readonly aliases: Readonly<Record<string, AliasMetadata>>;
  /** Settings, mappings and aliases of templates; if absent, templates are found by name. */
  readonly composition?: Composition;
  /** For a restore: the shards wait to be restored from a snapshot. */
  readonly restore?: {
    readonly restoredFrom: NonNullable<IndexMetadata['restoredFrom']>;
    /** First primary term of each shard. */
    readonly primaryTerms?: readonly number[];
    readonly routingShards: number;
    readonly createdAt: string;
  };
  /** For a resize: mapping and number of routing shards are those of the source. */
  readonly resize?: {
    readonly source: IndexMetadata;
    readonly kind: 'shrink' | 'split' | 'clone';
    readonly routingShards: number;
  };
}

/** The state with a new index, and its metadata. */
export interface CreatedIndex {
  readonly state: ClusterState;
  readonly meta: IndexMetadata;
}

/** Makes resource_already_exists_exception for an index. */
export function alreadyExists(meta: IndexMetadata): Error {
  return errors.resourceAlreadyExists(`index [${meta.name}/${meta.uuid}] already exists`, {
    meta: { index_uuid: meta.uuid, index: meta.name },
  });
}

/** Throws if a name is invalid or in use. */
export function validateNewName(state: ClusterState, name: string): void {
  validateIndexName(name);
  const existing = nameIndex(state).get(name);
  if (existing) throw alreadyExists(existing);
  if (aliasIndex(state).has(name)) throw invalidIndexName(name, 'already exists as alias');
  if (dataStream(state, name)) {
    throw errors.resourceAlreadyExists(`data stream [${name}] already exists`);
  }
}

/** Merges the mappings of templates and of the request. */
function mergeAll(
  composition: Composition,
  requested: Readonly<Record<string, unknown>> | null,
  options: MappingOptions,
  context: TaskContext,
): Mapping {
  const { mappings, isLegacy } = composition;
  if (isLegacy) return context.mappings.parse(mappings.reduceRight(mergeDefaults, requested ?? {}), options);
  const [first = {}, ...rest] = requested ? [...mappings, requested] : mappings;
  return rest.reduce(
    (merged, next) => context.mappings.merge(merged, next, options, 'template'),
    context.mappings.parse(first, options),
  );
}

/** Field types that `index.sort.field` may name. */
const SORTABLE = new Set([
  'boolean',
  'byte',
  'date',
  'date_nanos',
  'double',
  'float',
  'integer',
  'ip',
  'keyword',
  'long',
  'short',
  'unsigned_long',
  'scaled_float',
]);

/** For each list of `index.sort.*` the valid values and the error of others. */
const SORT_LISTS: readonly (readonly [name: string, accepts: RegExp, refusal: (value: string) => string])[] = [
  ['order', /^(asc|desc)$/i, (value) => `Illegal sort order:${value}`],
  [
    'mode',
    /^(min|max)$/i,
    (value) =>
      /^(sum|avg|median)$/i.test(value)
        ? `Illegal index sort mode:[${value.toUpperCase()}], must be one of [MAX, MIN]`
        : `Illegal sort mode: ${value}`,
  ],
  ['missing', /^_(first|last)$/, (value) => `Illegal missing value:[${value}], must be one of [_last, _first]`],
];

function validateSortLists(settings: FlatSettings, names: readonly string[]): void {
  for (const [name, accepts, refusal] of SORT_LISTS) {
    const values = sortList(settings, name);
    const bad = values.find((value) => !accepts.test(value));
    if (bad !== undefined) throw errors.illegalArgument(refusal(bad));
    if (values.length > 0 && values.length !== names.length)
      throw errors.illegalArgument(
        `index.sort.field:[${names.join(', ')}] index.sort.${name}:[${values.join(', ')}], size mismatch`,
      );
  }
}

/** Checks index sorting, which needs both settings and mapping. */
function validateSort(settings: FlatSettings, mapping: Mapping): void {
  const names = sortList(settings, 'field');
  validateSortLists(settings, names);
  refuseNestedSort(settings, mapping);
  for (const name of names) {
    const field = mapping.field(name);
    if (!field) throw errors.illegalArgument(`unknown index sort field:[${name}]`);
    if (field.name !== name) throw errors.illegalArgument(`Cannot use alias [${name}] as an index sort field`);
    if (!field.isAggregatable)
      throw errors.illegalArgument(`docvalues not found for index sort field:[${name}]`, {
        cause: noColumnError(field, ''),
      });
    if (field.valueKind === 'geo')
      throw errors.illegalArgument(
        "can't sort on geo_point or point field without using specific sorting feature, like geo_distance",
      );
    if (!SORTABLE.has(field.typeName)) throw errors.illegalArgument(`invalid index sort field:[${name}]`);
  }
}

/**
 * Checks that a partitioned index requires routing. `hasMapping` false: an index without a mapping may require it
 * later.
 */
function validatePartition(index: string, settings: FlatSettings, mapping: Mapping, hasMapping: boolean): void {
  const size = Number(settings['index.routing_partition_size'] ?? '1');
  if (size === 1) return;
  const shards = Number(
    settings['index.number_of_routing_shards'] ??
      defaultRoutingShards(Number(settings['index.number_of_shards'] ?? '1')),
  );
  if (size >= shards) {
    throw errors.illegalArgument(
      `partition size [${size}] should be a positive number less than the number of routing shards [${shards}] for ` +
        `[${index}]`,
    );
  }
  if (hasMapping && !mapping.routingRequired)
    throw errors.illegalArgument(`mapping type [_doc] must have routing required for partitioned index [${index}]`);
}

function routingSource(request: CreateIndexRequest): ShardRouting['recoverySource'] {
  if (request.restore) return 'SNAPSHOT';
  return request.resize ? 'LOCAL_SHARDS' : 'EMPTY_STORE';
}

function aliasesOf(
  state: ClusterState,
  request: CreateIndexRequest,
  composition: Composition,
): Record<string, AliasMetadata> {
  const aliases: Record<string, AliasMetadata> = {
    ...Object.fromEntries(
      Object.entries(composition.aliases).map(([alias, body]) => [alias.replaceAll('{index}', request.name), body]),
    ),
    ...request.aliases,
  };
  for (const alias of Object.keys(aliases)) validateNewAlias(state, alias, request.name);
  return aliases;
}

function settingsOf(
  request: CreateIndexRequest,
  composition: Composition,
  uuid: string,
  context: TaskContext,
): FlatSettings {
  validateIndexSettings(request.settings);
  const settings = completeSettings(
    { ...composition.settings, ...request.settings },
    { providedName: request.providedName, uuid, nowMs: context.nowMs },
    request.restore !== undefined || request.resize !== undefined,
  );
  validateSettingsTogether(settings);
  validateSimilarities(settings);
  return settings;
}

function place(
  state: ClusterState,
  meta: IndexMetadata,
  request: CreateIndexRequest,
  context: TaskContext,
): CreatedIndex {
  const replicas = expandedReplicas(state, meta);
  const sized =
    replicas === null
      ? meta
      : {
          ...meta,
          numberOfReplicas: replicas,
          settings: { ...meta.settings, 'index.number_of_replicas': String(replicas) },
        };
  checkShardLimit(state, sized.numberOfShards * (1 + sized.numberOfReplicas), context.nodeSettings);
  const limits = { counts: context.mappings.counts, nodeSettings: context.nodeSettings };
  checkFieldLimit(state, { before: [], after: [sized] }, limits);
  const table = unassignedRouting(sized, { reason: 'INDEX_CREATED', atMs: context.nowMs }, routingSource(request));
  const added = refreshBlocks(withRouting(withIndex(state, sized), sized.uuid, table), [sized.uuid]);
  return { state: added, meta: sized };
}

type Restore = NonNullable<CreateIndexRequest['restore']>;

function restoredParts({ routingShards, restoredFrom, primaryTerms }: Restore): Partial<NewIndex> {
  return { routingShards, restoredFrom, ...(primaryTerms ? { primaryTerms } : {}) };
}

const NO_TEMPLATES: Composition = { settings: {}, mappings: [], aliases: {}, lifecycle: null };

/**
 * Whether an index holds keys and tokens of the security layer. Templates do not apply to it: their aliases and
 * pipelines could expose its documents.
 */
function isOfSecurity(name: string): boolean {
  return name.startsWith('.security');
}

/**
 * Adds a new index to the state: templates, settings, mapping, aliases, shards. Throws what is wrong with the request.
 */
export function createIndexState(state: ClusterState, request: CreateIndexRequest, context: TaskContext): CreatedIndex {
  validateNewName(state, request.name);
  const hidden = request.settings['index.hidden'] === 'true';
  const composition =
    request.composition ?? (isOfSecurity(request.name) ? NO_TEMPLATES : compositionFor(state, request.name, hidden));
  const uuid = context.newIndexUuid ?? context.newUuid();
  const settings = settingsOf(request, composition, uuid, context);
  const options = context.mappings.options(settings);
  const mapping = mergeAll(withTimestamp(composition, settings), request.mappings, options, context);
  if (isTimeSeries({ settings }) && mapping.routingRequired) throw routingForbidden();
  if (!request.resize) {
    validateSort(settings, mapping);
    validatePartition(request.name, settings, mapping, composition.mappings.length > 0 || request.mappings !== null);
  }
  const aliases = aliasesOf(state, request, composition);
  if (isTimeSeries({ settings }) && Object.values(aliases).some(hasRouting)) throw routingForbidden();
  const { resize, restore } = request;
  const meta = buildIndex({
    name: request.name,
    providedName: request.providedName,
    uuid,
    settings: restore ? { ...settings, 'index.creation_date': restore.createdAt } : settings,
    mapping: mapping.toJson(),
    aliases,
    nowMs: context.nowMs,
    ...(resize
      ? {
          routingShards: resize.routingShards,
          resizeSource: { uuid: resize.source.uuid, name: resize.source.name, kind: resize.kind },
        }
      : {}),
    ...(restore ? restoredParts(restore) : {}),
  });
  validateAliases(state, meta);
  return place(state, meta, request, context);
}

/** Aliases of an index, as each change of one of them publishes them all. */
const ALIASES_MAX = 12_000;

/**
 * Throws if an index has too many aliases, unless it had as many `before`, or if an alias would have two write indices.
 */
export function validateAliases(state: ClusterState, meta: IndexMetadata, before: IndexMetadata | null = null): void {
  const aliases = Object.entries(meta.aliases);
  if (aliases.length > Math.max(ALIASES_MAX, Object.keys(before?.aliases ?? {}).length))
    throw errors.illegalArgument(
      `index [${meta.name}] would have [${aliases.length}] aliases, more than [${ALIASES_MAX}]`,
    );
  for (const [alias, body] of aliases) {
    if (body.isWriteIndex !== true) continue;
    const others = aliasIndex(state).get(alias) ?? [];
    const writers = [
      ...others
        .filter((other) => other.uuid !== meta.uuid && other.aliases[alias]?.isWriteIndex === true)
        .map((other) => other.name),
      meta.name,
    ];
    if (writers.length > 1)
      throw errors.refusedState(`alias [${alias}] has more than one write index [${writers.sort().join(',')}]`);
  }
}
