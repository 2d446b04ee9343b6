import { type IndexMetadata, isTimeSeries } from '@shoal/state';
import { matchesWildcard } from '@shoal/values';
import { isPlainObject } from '@shoal/json';
import {
  type AccessLimits,
  fieldFilter,
  type FieldType,
  type Mapping,
  parseRuntimeMappings,
  withRuntimeFields,
} from '@shoal/mapping';
import type { CoordinatorContext } from '../context.js';
import { takeTurns, type Turns } from '../turns.js';
import type { FieldCapsRequest } from './admin-requests.js';

/** An index, with the fields that the caller may see. */
export interface VisibleIndex {
  readonly index: IndexMetadata;
  /** Limits of the caller; null for none. */
  readonly limits: AccessLimits | null;
}

/** Indices whose fields are the same: equal mappings are one object, so their fields are looked at once. */
interface Alike {
  /** Names of the indices, sorted. */
  readonly indices: string[];
  readonly capabilities: ReadonlyMap<string, Capability>;
}

/** Fields of an index, each in one of those alike, between two looks at whether a turn is over. */
const LOOKS_AT_ONCE = 4_096;

/** Capabilities of a field in one index. */
interface Capability {
  readonly type: string;
  readonly isMetadata: boolean;
  readonly isSearchable: boolean;
  readonly isAggregatable: boolean;
  readonly isDimension?: boolean;
  readonly metric?: FieldType['metric'] | undefined;
  /** The `meta` of the field in the mapping. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

const metadata = (type: string, isSearchable: boolean, isAggregatable: boolean): Capability => ({
  type,
  isMetadata: true,
  isSearchable,
  isAggregatable,
});

const METADATA_FIELDS: ReadonlyMap<string, Capability> = new Map([
  ['_routing', metadata('_routing', true, false)],
  ['_doc_count', metadata('integer', false, false)],
  ['_index', metadata('_index', true, true)],
  ['_ignored', metadata('_ignored', true, false)],
  ['_seq_no', metadata('_seq_no', true, true)],
  ['_nested_path', metadata('_nested_path', true, false)],
  ['_data_stream_timestamp', metadata('_data_stream_timestamp', false, false)],
  ['_field_names', metadata('_field_names', true, false)],
  ['_source', metadata('_source', false, false)],
  ['_id', metadata('_id', true, false)],
  ['_version', metadata('_version', false, true)],
]);

/** Of indices of time series only. */
const SERIES: readonly [string, Capability] = ['_tsid', metadata('_tsid', false, true)];

function capabilityOf(field: FieldType, index: IndexMetadata): Capability {
  const { meta } = field.toJson(false);
  const plain = {
    type: field.typeName,
    isMetadata: false,
    isSearchable: field.isSearchable,
    isAggregatable: field.isAggregatable,
    ...(isTimeSeries(index) ? { isDimension: field.isDimension ?? false, metric: field.metric } : {}),
  };
  return isPlainObject(meta) ? { ...plain, meta } : plain;
}

function mappingOf(context: CoordinatorContext, index: IndexMetadata, { runtimeMappings }: FieldCapsRequest): Mapping {
  const { mapping } = context.mappings.current(index);
  if (runtimeMappings === null) return mapping;
  return withRuntimeFields(mapping, mapping.runtimeTypes(parseRuntimeMappings(runtimeMappings)));
}

function allFields(
  context: CoordinatorContext,
  { index, limits }: VisibleIndex,
  request: FieldCapsRequest,
): Map<string, Capability> {
  const mapping = mappingOf(context, index, request);
  const shown = fieldFilter(limits) ?? (() => true);
  const found = new Map<string, Capability>();
  for (const field of mapping.fields) if (shown(field.name)) found.set(field.name, capabilityOf(field, index));
  for (const [alias, target] of mapping.aliases) {
    const field = mapping.field(target);
    if (field && shown(alias) && shown(target)) found.set(alias, capabilityOf(field, index));
  }
  for (const object of mapping.objects) {
    if (object.path !== '' && shown(object.path) && !found.has(object.path))
      found.set(object.path, {
        type: object.isNested ? 'nested' : 'object',
        isMetadata: false,
        isSearchable: false,
        isAggregatable: false,
      });
  }
  return found;
}

const UNMAPPED_OBJECT: Capability = {
  type: 'object',
  isMetadata: false,
  isSearchable: false,
  isAggregatable: false,
};

function isObject(capability: Capability): boolean {
  return capability.type === 'object' || capability.type === 'nested';
}

/** Whether a field is a multi-field: a field below another leaf field. */
function isMultiField(name: string, fields: ReadonlyMap<string, Capability>): boolean {
  const dot = name.lastIndexOf('.');
  const parent = dot === -1 ? undefined : fields.get(name.slice(0, dot));
  return parent !== undefined && !isObject(parent);
}

function insideNested(name: string, fields: ReadonlyMap<string, Capability>): boolean {
  for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1))
    if (fields.get(name.slice(0, dot))?.type === 'nested') return true;
  return fields.get(name)?.type === 'nested';
}

function wanted(
  name: string,
  capability: Capability,
  request: FieldCapsRequest,
  fields: ReadonlyMap<string, Capability>,
): boolean {
  const { filters, types } = request;
  // Objects come by the fields below them, whatever the types.
  if (types.length > 0 && !types.includes(capability.type) && !isObject(capability)) return false;
  if (filters.includes('+metadata') && !capability.isMetadata) return false;
  if (filters.includes('-metadata') && capability.isMetadata) return false;
  if (filters.includes('-parent') && isObject(capability)) return false;
  if (filters.includes('-nested') && insideNested(name, fields)) return false;
  return !(filters.includes('-multifield') && isMultiField(name, fields));
}

function capabilitiesOf(
  context: CoordinatorContext,
  index: VisibleIndex,
  request: FieldCapsRequest,
): Map<string, Capability> {
  const fields = allFields(context, index, request);
  const chosen = new Map<string, Capability>();
  const series = isTimeSeries(index.index) ? [SERIES] : [];
  for (const [name, capability] of [...fields, ...METADATA_FIELDS, ...series]) {
    if (
      !isObject(capability) &&
      request.fields.some((pattern) => matchesWildcard(pattern, name)) &&
      wanted(name, capability, request, fields)
    )
      chosen.set(name, capability);
  }
  for (const name of [...chosen.keys()]) addParents(name, fields, request, chosen);
  return chosen;
}

/** Adds the object fields above the selected fields. */
function addParents(
  name: string,
  fields: ReadonlyMap<string, Capability>,
  request: FieldCapsRequest,
  chosen: Map<string, Capability>,
): void {
  for (let dot = name.lastIndexOf('.'); dot !== -1; dot = name.lastIndexOf('.', dot - 1)) {
    const parent = name.slice(0, dot);
    // What is above a runtime field need not be mapped.
    const capability = fields.get(parent) ?? UNMAPPED_OBJECT;
    if (isObject(capability) && !chosen.has(parent) && wanted(parent, capability, request, fields))
      chosen.set(parent, capability);
    if (dot === 0) return;
  }
}

/** Merges the `meta` of a field: for each key the sorted values over all indices. */
function mergedMeta(members: readonly { readonly capability: Capability }[]): Record<string, unknown> | null {
  const values = new Map<string, Set<string>>();
  for (const { capability } of members) {
    for (const [key, value] of Object.entries(capability.meta ?? {}))
      values.set(key, (values.get(key) ?? new Set()).add(String(value)));
  }
  return values.size === 0 ? null : Object.fromEntries([...values].map(([key, set]) => [key, [...set].sort()]));
}

type Json = Readonly<Record<string, unknown>>;

/** What a field is in indices that are alike. */
interface Member {
  readonly indices: readonly string[];
  readonly capability: Capability;
}

interface TypeGroup {
  readonly type: string;
  readonly members: Member[];
}

/** Names of the indices of members, sorted. */
const indicesOf = (members: readonly Member[]): string[] => {
  const names = members.flatMap(({ indices }) => indices);
  return members.length === 1 ? names : names.sort((a, b) => (a < b ? -1 : 1));
};

/** What a field is in time series, if all indices agree; else those that differ. */
function seriesCaps(members: TypeGroup['members']): { roles: Json; conflicts: Json } {
  const plain = members.filter(({ capability }) => !capability.isDimension);
  const metrics = new Set(members.map(({ capability }) => capability.metric));
  const [metric] = metrics;
  const allPlain = plain.length === members.length;
  const roles = {
    ...(plain.length === 0 ? { time_series_dimension: true } : {}),
    ...(metrics.size === 1 && metric !== undefined ? { time_series_metric: metric } : {}),
  };
  const conflicts = {
    ...(allPlain || plain.length === 0 ? {} : { non_dimension_indices: indicesOf(plain) }),
    ...(metrics.size > 1 ? { metric_conflicts_indices: indicesOf(members) } : {}),
  };
  return { roles, conflicts };
}

function typeJson(group: TypeGroup, showIndices: boolean): Record<string, unknown> {
  const { members } = group;
  const searchable = members.every((member) => member.capability.isSearchable);
  const aggregatable = members.every((member) => member.capability.isAggregatable);
  const not = (pick: (capability: Capability) => boolean): Member[] =>
    members.filter((member) => !pick(member.capability));
  const series = seriesCaps(members);
  const nonSearchable = not((capability) => capability.isSearchable);
  const nonAggregatable = not((capability) => capability.isAggregatable);
  const meta = mergedMeta(members);
  return {
    type: group.type,
    metadata_field: members[0]!.capability.isMetadata,
    searchable,
    aggregatable,
    ...series.roles,
    ...(showIndices ? { indices: indicesOf(members) } : {}),
    ...(!searchable && nonSearchable.length < members.length
      ? { non_searchable_indices: indicesOf(nonSearchable) }
      : {}),
    ...(!aggregatable && nonAggregatable.length < members.length
      ? { non_aggregatable_indices: indicesOf(nonAggregatable) }
      : {}),
    ...series.conflicts,
    ...(meta ? { meta } : {}),
  };
}

const UNMAPPED: Capability = { type: 'unmapped', isMetadata: false, isSearchable: false, isAggregatable: false };

function fieldJson(name: string, alikes: readonly Alike[], includeUnmapped: boolean): Record<string, unknown> {
  const groups = new Map<string, TypeGroup>();
  for (const { indices, capabilities } of alikes) {
    const capability = capabilities.get(name) ?? (includeUnmapped ? UNMAPPED : null);
    if (!capability) continue;
    if (!groups.has(capability.type)) groups.set(capability.type, { type: capability.type, members: [] });
    groups.get(capability.type)!.members.push({ indices, capability });
  }
  return Object.fromEntries([...groups.values()].map((group) => [group.type, typeJson(group, groups.size > 1)]));
}

/** Brings indices together whose fields are the same for the caller; `indices` are sorted by name. */
async function alikeIndices(
  context: CoordinatorContext,
  indices: readonly VisibleIndex[],
  request: FieldCapsRequest,
  turns: Turns,
): Promise<readonly Alike[]> {
  const alikes: Alike[] = [];
  // Limits are looked at index by index: those of two indices are seldom the same object.
  const known = new Map<Mapping, { plain?: Alike; series?: Alike }>();
  for (const target of indices) {
    await turns.pause();
    const { index, limits } = target;
    const { mapping } = context.mappings.current(index);
    const kind = isTimeSeries(index) ? 'series' : 'plain';
    const before = limits === null ? known.get(mapping)?.[kind] : undefined;
    if (before !== undefined) {
      before.indices.push(index.name);
      continue;
    }
    const alike = { indices: [index.name], capabilities: capabilitiesOf(context, target, request) };
    alikes.push(alike);
    if (limits === null) known.set(mapping, { ...known.get(mapping), [kind]: alike });
  }
  return alikes;
}

/** Returns the answer of `_field_caps`: types and capabilities of fields over indices, from the applied mappings. */
export async function fieldCaps(
  context: CoordinatorContext,
  indices: readonly VisibleIndex[],
  request: FieldCapsRequest,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const turns = takeTurns(context.clock, signal);
  const sorted = [...indices].sort((a, b) => (a.index.name < b.index.name ? -1 : 1));
  const alikes = await alikeIndices(context, sorted, request, turns);
  const fields = new Map<string, unknown>();
  let looks = 0;
  for (const { capabilities } of alikes) {
    for (const name of capabilities.keys()) {
      if (fields.has(name)) continue;
      fields.set(name, fieldJson(name, alikes, request.includeUnmapped));
      looks += alikes.length;
      if (looks < LOOKS_AT_ONCE) continue;
      looks = 0;
      await turns.pause();
    }
  }
  return { indices: sorted.map(({ index }) => index.name), fields: Object.fromEntries(fields) };
}
