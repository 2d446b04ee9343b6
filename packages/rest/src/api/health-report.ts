import { clusterHealth, clusterSetting, type ClusterHealth } from '@shoal/cluster';
import { errors } from '@shoal/errors';
import type { RestRequest, RestResponse, Route } from '../route.js';
import type { Services } from '../services.js';

type Json = Record<string, unknown>;

function masterIsStable(services: Services): Json {
  const state = services.cluster.state();
  const master = state.nodes.get(state.masterNodeId ?? '');
  const node = { node_id: master?.id ?? null, name: master?.name ?? null };
  return { status: master ? 'green' : 'red', symptom: master ? 'The cluster has a stable master node' : 'The cluster has no elected master node', details: { current_master: node, recent_masters: master ? [node] : [] } };
}

function repositoryIntegrity(services: Services): Json {
  const count = Object.keys(services.cluster.state().customs.get('repositories') ?? {}).length;
  if (count === 0) return { status: 'green', symptom: 'No snapshot repositories configured.' };
  return { status: 'green', symptom: 'All repositories are healthy.', details: { total_repositories: count } };
}

function disk(services: Services): Json {
  const nodes = services.cluster.state().nodes.size;
  return {
    status: 'green',
    symptom: 'The cluster has enough available disk space.',
    details: { indices_with_readonly_block: 0, nodes_with_enough_disk_space: nodes, nodes_with_unknown_disk_status: 0, nodes_over_high_watermark: 0, nodes_over_flood_stage_watermark: 0 },
  };
}

function availabilitySymptom(health: ClusterHealth): string {
  if (health.status === 'green') return 'This cluster has all shards available.';
  const missingPrimaries = health.indices.reduce((sum, index) => sum + index.numberOfShards - index.activePrimaries, 0);
  const missingReplicas = health.unassigned - missingPrimaries;
  const parts = [
    ...(missingPrimaries > 0 ? [`${missingPrimaries} unavailable primary shard${missingPrimaries > 1 ? 's' : ''}`] : []),
    ...(missingReplicas > 0 ? [`${missingReplicas} unavailable replica shard${missingReplicas > 1 ? 's' : ''}`] : []),
  ];
  return `This cluster has ${parts.join(', ')}.`;
}

function shardsAvailability(services: Services): Json {
  const health = clusterHealth(services.cluster.state());
  const primaries = health.indices.reduce((sum, index) => sum + index.numberOfShards, 0);
  const unassignedPrimaries = primaries - health.activePrimaries;
  return {
    status: health.status,
    symptom: availabilitySymptom(health),
    details: {
      creating_primaries: 0,
      creating_replicas: 0,
      initializing_primaries: 0,
      initializing_replicas: health.initializing,
      restarting_primaries: 0,
      restarting_replicas: 0,
      started_primaries: health.activePrimaries,
      started_replicas: health.active - health.activePrimaries,
      unassigned_primaries: unassignedPrimaries,
      unassigned_replicas: Math.max(0, health.unassigned - unassignedPrimaries),
    },
  };
}

function shardsCapacity(services: Services): Json {
  const state = services.cluster.state();
  const max = (name: string): number => Number(clusterSetting(state, name));
  return {
    status: 'green',
    symptom: 'The cluster has enough room to add new shards.',
    details: { data: { max_shards_in_cluster: max('cluster.max_shards_per_node') }, frozen: { max_shards_in_cluster: max('cluster.max_shards_per_node.frozen') } },
  };
}

const INDICATORS: Readonly<Record<string, (services: Services) => Json>> = {
  master_is_stable: masterIsStable,
  repository_integrity: repositoryIntegrity,
  disk,
  shards_capacity: shardsCapacity,
  shards_availability: shardsAvailability,
};

const RANK = ['green', 'unknown', 'yellow', 'red'];

function report(request: RestRequest, services: Services): RestResponse {
  const wanted = request.pathParams['indicator'];
  if (wanted !== undefined && !Object.hasOwn(INDICATORS, wanted)) throw errors.resourceNotFound(`Did not find indicator ${wanted}`);
  const names = wanted === undefined ? Object.keys(INDICATORS) : [wanted];
  const indicators = names.map((name) => [name, INDICATORS[name]!(services)] as const);
  const worst = indicators.reduce((status, [, json]) => (RANK.indexOf(String(json['status'])) > RANK.indexOf(status) ? String(json['status']) : status), 'green');
  return { status: 200, json: { ...(wanted === undefined ? { status: worst } : {}), cluster_name: services.cluster.state().clusterName, indicators: Object.fromEntries(indicators) } };
}

export const routes: readonly Route<Services>[] = ['/_health_report', '/_health_report/{indicator}'].map((path) => ({
  methods: ['GET'],
  path,
  name: 'health_report',
  body: 'none',
  privilege: 'cluster:monitor/health_api',
  parameters: ['timeout', 'verbose', 'size'],
  handle: report,
}));
