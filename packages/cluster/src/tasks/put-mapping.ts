import { deepEqual } from '@shoal/json';
import { checkIndexBlocks, type ClusterState, type IndexMetadata, noSuchIndex } from '@shoal/state';
import { withIndices } from '../metadata/edit-state.js';
import { checkFieldLimit } from '../metadata/field-limit.js';
import type { MergeReason } from '../metadata/index-mappings.js';
import { ACKNOWLEDGED, defineTask, type TaskContext } from './task.js';

/** Body of `putMapping`. */
export interface PutMappingBody {
  readonly uuids: readonly string[];
  readonly mapping: Readonly<Record<string, unknown>>;
}

/** Body of `dynamicMapping`. */
export interface DynamicMappingBody {
  readonly indexUuid: string;
  readonly mapping: Readonly<Record<string, unknown>>;
}

/** Merges an update into the mapping of an index. Returns the same object if nothing changes. */
function merged(
  meta: IndexMetadata,
  update: Readonly<Record<string, unknown>>,
  reason: MergeReason,
  context: TaskContext,
): IndexMetadata {
  const { mapping, options } = context.mappings.current(meta);
  const json = context.mappings.merge(mapping, update, options, reason).toJson();
  if (deepEqual(json, meta.mapping)) return meta;
  return { ...meta, mapping: json, version: meta.version + 1, mappingVersion: meta.mappingVersion + 1 };
}

/** Merges an update into indices, and stops at the index with which there would be too many fields. */
function mergedAll(
  state: ClusterState,
  before: readonly IndexMetadata[],
  update: Readonly<Record<string, unknown>>,
  reason: MergeReason,
  context: TaskContext,
): IndexMetadata[] {
  const after: IndexMetadata[] = [];
  const limits = { counts: context.mappings.counts, nodeSettings: context.nodeSettings };
  for (const meta of before) {
    after.push(merged(meta, update, reason, context));
    checkFieldLimit(state, { before: before.slice(0, after.length), after }, limits);
  }
  return after;
}

function store(state: ClusterState, before: readonly IndexMetadata[], after: readonly IndexMetadata[]): ClusterState {
  const changed = after.filter((meta, i) => meta !== before[i]);
  return changed.length === 0 ? state : withIndices(state, changed);
}

/** Merges a mapping update of a client into indices. */
export const putMapping = defineTask<PutMappingBody>({
  name: 'put-mapping',
  priority: 'HIGH',
  source: ({ uuids }) => `put-mapping [${uuids.join(',')}]`,
  apply(state, { uuids, mapping }, context) {
    const metas = uuids.flatMap((uuid) => state.indices.get(uuid) ?? []);
    checkIndexBlocks(state, metas, 'metadata_write');
    const after = mergedAll(state, metas, mapping, 'update', context);
    return { state: store(state, metas, after), answer: ACKNOWLEDGED };
  },
});

/** Adds fields that documents introduced. */
export const dynamicMapping = defineTask<DynamicMappingBody>({
  name: 'dynamic-mapping',
  priority: 'HIGH',
  source: ({ indexUuid }) => `put-mapping [${indexUuid}/_doc]`,
  apply(state, { indexUuid, mapping }, context) {
    const meta = state.indices.get(indexUuid);
    if (!meta) throw noSuchIndex(indexUuid);
    const after = mergedAll(state, [meta], mapping, 'dynamic', context);
    return { state: store(state, [meta], after), answer: ACKNOWLEDGED };
  },
});
