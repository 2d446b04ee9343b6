import { deepEqual } from '@shoal/json';
import type { ParsedMapping } from '@shoal/mapping';
import { checkIndexBlocks, type ClusterState, type FlatSettings, type IndexMetadata, noSuchIndex } from '@shoal/state';
import { withIndices } from '../metadata/edit-state.js';
import { checkFieldLimit } from '../metadata/field-limit.js';
import { isSorted, refuseNestedSort } from '../metadata/index-sort.js';
import type { IndexMappings, MergeReason } from '../metadata/index-mappings.js';
import { ACKNOWLEDGED, defineTask, type TaskContext } from './task.js';

type Json = Readonly<Record<string, unknown>>;

/** Body of `putMapping`. */
export interface PutMappingBody {
  readonly uuids: readonly string[];
  readonly mapping: Json;
}

/** Body of `dynamicMapping`. */
export interface DynamicMappingBody {
  readonly indexUuid: string;
  readonly mapping: Json;
}

/**
 * Mappings with an update merged in. Many indices may share one parsed mapping; results that were made before the task
 * was queued are found by the mapping and the settings of an index.
 */
class MergedMappings {
  readonly #byIndex = new WeakMap<Json, { readonly settings: FlatSettings; readonly merged: Json }>();
  readonly #byMapping = new WeakMap<ParsedMapping, Json>();

  of({ mapping, settings }: IndexMetadata): Json | undefined {
    const known = this.#byIndex.get(mapping);
    return known?.settings === settings ? known.merged : undefined;
  }

  /** Merges the update into the mapping of an index. Throws what is wrong with it. */
  make(meta: IndexMetadata, update: Json, reason: MergeReason, mappings: IndexMappings): Json {
    const current = mappings.current(meta);
    let merged = this.#byMapping.get(current);
    if (merged === undefined) {
      merged = mappings.merge(current.mapping, update, current.options, reason).toJson();
      this.#byMapping.set(current, merged);
    }
    this.#byIndex.set(meta.mapping, { settings: meta.settings, merged });
    return merged;
  }
}

/** Results of tasks that are prepared, by their bodies. */
const prepared = new WeakMap<PutMappingBody, MergedMappings>();

/** Indices of a task from which on it is prepared; fewer keep their order among other tasks. */
const PREPARED_INDICES_MIN = 8;

function* prepare(state: ClusterState, body: PutMappingBody, mappings: IndexMappings): Iterable<void> {
  if (body.uuids.length < PREPARED_INDICES_MIN) return;
  const results = new MergedMappings();
  prepared.set(body, results);
  for (const uuid of body.uuids) {
    const meta = state.indices.get(uuid);
    if (meta !== undefined) results.make(meta, body.mapping, 'update', mappings);
    yield;
  }
}

/** Merges an update into the mapping of an index. Returns the same object if nothing changes. */
function merged(
  meta: IndexMetadata,
  update: Json,
  reason: MergeReason,
  context: TaskContext,
  known: MergedMappings,
): IndexMetadata {
  const mapping = known.of(meta) ?? known.make(meta, update, reason, context.mappings);
  if (deepEqual(mapping, meta.mapping)) return meta;
  const after = { ...meta, mapping, version: meta.version + 1, mappingVersion: meta.mappingVersion + 1 };
  if (isSorted(meta.settings)) refuseNestedSort(after.settings, context.mappings.current(after).mapping);
  return after;
}

/** Merges an update into indices, and stops at the index with which there would be too many fields. */
function mergedAll(
  state: ClusterState,
  before: readonly IndexMetadata[],
  update: Json,
  reason: MergeReason,
  context: TaskContext,
  known: MergedMappings,
): IndexMetadata[] {
  const after: IndexMetadata[] = [];
  const limits = { counts: context.mappings.counts, nodeSettings: context.nodeSettings };
  for (const meta of before) {
    after.push(merged(meta, update, reason, context, known));
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
  prepare,
  apply(state, body, context) {
    const { uuids, mapping } = body;
    const metas = uuids.flatMap((uuid) => state.indices.get(uuid) ?? []);
    checkIndexBlocks(state, metas, 'metadata_write');
    const after = mergedAll(state, metas, mapping, 'update', context, prepared.get(body) ?? new MergedMappings());
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
    checkIndexBlocks(state, [meta], 'metadata_write');
    const after = mergedAll(state, [meta], mapping, 'dynamic', context, new MergedMappings());
    return { state: store(state, [meta], after), answer: ACKNOWLEDGED };
  },
});
