import type { Json } from '@shoal/json';
import { TRANSPORT_VERSION } from '@shoal/values';
import {
  componentTemplates,
  componentTemplateToJson,
  indexTemplates,
  indexTemplateToJson,
  legacyTemplates,
  legacyTemplateToJson,
  tombstones,
  votingExclusions,
} from '@shoal/cluster';
import {
  type ClusterState,
  type FlatSettings,
  type IndexMetadata,
  isRelocationTarget,
  nodeJson,
  section,
  type ShardRouting,
} from '@shoal/state';
import { isoTime } from '../cat/timestamps.js';

type SettingsForm = (flat: FlatSettings) => Json;

const METRICS = ['version', 'master_node', 'blocks', 'nodes', 'metadata', 'routing_table', 'routing_nodes', 'customs'];

/** Sections of `_cluster/state` that a request names; unknown names are ignored, as in 8.12. */
export function parseStateMetrics(names: readonly string[]): ReadonlySet<string> {
  if (names.length === 0 || names.includes('_all')) return new Set(METRICS);
  return new Set(names.map((name) => (name === 'routing_table' ? 'routing_table' : name)));
}

/** A shard copy in the form of `_cluster/state`. */
export function shardRoutingJson(state: ClusterState, copy: ShardRouting): Json {
  return {
    state: copy.state,
    primary: copy.primary,
    node: copy.nodeId,
    relocating_node: copy.relocatingNodeId,
    shard: copy.shard,
    index: state.indices.get(copy.indexUuid)?.name,
    ...(copy.allocationId === null ? {} : { allocation_id: { id: copy.allocationId, ...relocationId(state, copy) } }),
    ...(copy.recoverySource === null
      ? {}
      : {
          recovery_source: {
            type: copy.recoverySource,
            ...(copy.recoverySource === 'EXISTING_STORE' ? { bootstrap_new_history_uuid: false } : {}),
          },
        }),
    ...(copy.unassigned && copy.state !== 'STARTED' ? { unassigned_info: unassignedJson(copy) } : {}),
    relocation_failure_info: { failed_attempts: copy.relocationFailures ?? 0 },
  };
}

/** Allocation id of the other copy of a relocation; empty if the copy does not move. */
function relocationId(state: ClusterState, copy: ShardRouting): Json {
  if (copy.relocatingNodeId === null) return {};
  const other = state.routing
    .get(copy.indexUuid)
    ?.[copy.shard]?.find((candidate) => candidate.nodeId === copy.relocatingNodeId);
  return other ? { relocation_id: other.allocationId } : {};
}

function unassignedJson(copy: ShardRouting): Json {
  const { reason, atMs, details, failedAttempts, delayedUntilMs, status = 'no_attempt' } = copy.unassigned!;
  return {
    reason,
    at: isoTime(atMs),
    ...(failedAttempts > 0 ? { failed_attempts: failedAttempts } : {}),
    delayed: delayedUntilMs !== undefined,
    ...(details === null ? {} : { details }),
    allocation_status: status,
  };
}

function blocksJson(state: ClusterState, chosen: ReadonlySet<string>): Json {
  const describe = (block: ClusterState['blocks'][number]): [string, Json] => [
    String(block.id),
    { description: block.description, retryable: block.retryable, levels: block.levels },
  ];
  const global = state.blocks.filter((block) => block.indexUuid === null).map(describe);
  const indices = new Map<string, Json>();
  for (const block of state.blocks) {
    const meta = state.indices.get(block.indexUuid ?? '');
    if (!meta || !chosen.has(meta.uuid)) continue;
    indices.set(meta.name, { ...indices.get(meta.name), ...Object.fromEntries([describe(block)]) });
  }
  return {
    ...(global.length > 0 ? { global: Object.fromEntries(global) } : {}),
    ...(indices.size > 0 ? { indices: Object.fromEntries(indices) } : {}),
  };
}

function indexJson(meta: IndexMetadata, settingsForm: SettingsForm): Json {
  return {
    version: meta.version,
    mapping_version: meta.mappingVersion,
    settings_version: meta.settingsVersion,
    aliases_version: meta.aliasesVersion,
    routing_num_shards: meta.numberOfRoutingShards,
    state: meta.state,
    settings: settingsForm(meta.settings),
    mappings: Object.keys(meta.mapping).length === 0 ? {} : { _doc: meta.mapping },
    aliases: Object.keys(meta.aliases),
    primary_terms: Object.fromEntries(meta.primaryTerms.map((term, shard) => [String(shard), term])),
    in_sync_allocations: Object.fromEntries(meta.inSync.map((ids, shard) => [String(shard), ids])),
    rollover_info: meta.rolloverInfo ?? {},
    system: false,
    timestamp_range: { unknown: true },
  };
}

function mapValues<T>(record: Readonly<Record<string, T>>, change: (value: T) => unknown): Json {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

/** Sections that are left out while they are empty. */
function optionalSections(state: ClusterState, settingsForm: SettingsForm): Json {
  const streams = mapValues(section(state, 'dataStreams'), (stream) => stream);
  const sections: Readonly<Record<string, Json>> = {
    index_template: mapValues(indexTemplates(state), (template) => indexTemplateToJson(template, settingsForm)),
    component_template: mapValues(componentTemplates(state), (template) =>
      componentTemplateToJson(template, settingsForm),
    ),
    repositories: { ...section(state, 'repositories') },
    stored_scripts: { ...section(state, 'storedScripts') },
  };
  const filled = Object.entries(sections).filter(([, value]) => Object.keys(value).length > 0);
  return {
    ...Object.fromEntries(filled.map(([name, value]) => [name, name.endsWith('template') ? { [name]: value } : value])),
    ...(Object.keys(streams).length > 0 ? { data_stream: { data_stream: streams, data_stream_aliases: {} } } : {}),
    ...(Object.keys(section(state, 'pipelines')).length > 0
      ? { ingest: { pipeline: Object.entries(section(state, 'pipelines')).map(([id, config]) => ({ id, config })) } }
      : {}),
  };
}

function metadataJson(state: ClusterState, indices: readonly IndexMetadata[], settingsForm: SettingsForm): Json {
  const voters = state.votingConfiguration;
  return {
    cluster_uuid: state.clusterUuid,
    cluster_uuid_committed: state.clusterUuid !== '_na_',
    cluster_coordination: {
      term: state.term,
      last_committed_config: voters,
      last_accepted_config: voters,
      voting_config_exclusions: votingExclusions(state),
    },
    ...(Object.keys(state.persistentSettings).length > 0 ? { settings: settingsForm(state.persistentSettings) } : {}),
    templates: mapValues(legacyTemplates(state), (template) => legacyTemplateToJson(template, settingsForm)),
    indices: Object.fromEntries(indices.map((meta) => [meta.name, indexJson(meta, settingsForm)])),
    'index-graveyard': {
      tombstones: tombstones(state).map((stone) => ({
        index: { index_name: stone.name, index_uuid: stone.uuid },
        delete_date_in_millis: stone.deletedAtMs,
      })),
    },
    ...optionalSections(state, settingsForm),
    reserved_state: {},
  };
}

function routingTableJson(state: ClusterState, indices: readonly IndexMetadata[]): Json {
  const entries = indices.map((meta) => {
    const table = state.routing.get(meta.uuid) ?? [];
    return [
      meta.name,
      {
        shards: Object.fromEntries(
          table.map((copies, shard) => [
            String(shard),
            copies.filter((copy) => !isRelocationTarget(copy)).map((copy) => shardRoutingJson(state, copy)),
          ]),
        ),
      },
    ] as const;
  });
  return { indices: Object.fromEntries(entries) };
}

function routingNodesJson(state: ClusterState, indices: readonly IndexMetadata[]): Json {
  const copies = indices.flatMap((meta) => (state.routing.get(meta.uuid) ?? []).flat());
  const on = (nodeId: string | null): Json[] =>
    copies.filter((copy) => copy.nodeId === nodeId).map((copy) => shardRoutingJson(state, copy));
  return { unassigned: on(null), nodes: Object.fromEntries([...state.nodes.keys()].map((id) => [id, on(id)])) };
}

function nodesJson(state: ClusterState): Json {
  return {
    nodes: Object.fromEntries([...state.nodes.values()].map((node) => [node.id, nodeJson(node)])),
    nodes_versions: [...state.nodes.keys()].map((id) => ({
      node_id: id,
      transport_version: String(TRANSPORT_VERSION),
      mappings_versions: {},
    })),
    nodes_features: [...state.nodes.keys()].map((id) => ({ node_id: id, features: ['features_supported'] })),
  };
}

/** `GET /_cluster/state`, limited to some indices and sections. */
export function stateJson(
  state: ClusterState,
  indices: readonly IndexMetadata[],
  metrics: ReadonlySet<string>,
  settingsForm: SettingsForm,
): Json {
  const chosen = new Set(indices.map((meta) => meta.uuid));
  return {
    cluster_name: state.clusterName,
    cluster_uuid: state.clusterUuid,
    ...(metrics.has('version') ? { version: state.version, state_uuid: state.stateUuid } : {}),
    ...(metrics.has('master_node') ? { master_node: state.masterNodeId } : {}),
    ...(metrics.has('blocks') ? { blocks: blocksJson(state, chosen) } : {}),
    ...(metrics.has('nodes') ? nodesJson(state) : {}),
    ...(metrics.has('metadata') ? { metadata: metadataJson(state, indices, settingsForm) } : {}),
    ...(metrics.has('routing_table') ? { routing_table: routingTableJson(state, indices) } : {}),
    ...(metrics.has('routing_nodes') ? { routing_nodes: routingNodesJson(state, indices) } : {}),
  };
}
