import { type ClusterState, clusterSetting, isDataNode, type NodeInfo } from '@shoal/cluster';
import type { Indication, IndicatorStatus, Indicator } from './indicator.js';

/** Room for so many shards more is not enough: red; is little: yellow. */
const ROOM = { red: 5, yellow: 10 };

interface Capacity {
  readonly kind: 'data' | 'frozen';
  readonly max: number;
  readonly used: number;
}

const holdsMore = (node: NodeInfo): boolean => isDataNode(node) && node.roles.some((role) => role.startsWith('data') && role !== 'data_frozen');

function usedShards(state: ClusterState): number {
  return [...state.indices.values()].filter((meta) => meta.state === 'open').reduce((sum, meta) => sum + meta.numberOfShards * (1 + meta.numberOfReplicas), 0);
}

function capacities(state: ClusterState, nodeSettings: Parameters<typeof clusterSetting>[2]): Capacity[] {
  const nodes = [...state.nodes.values()];
  const setting = (name: string): number => Number(clusterSetting(state, name, nodeSettings));
  return [
    { kind: 'data', max: setting('cluster.max_shards_per_node') * nodes.filter(holdsMore).length, used: usedShards(state) },
    { kind: 'frozen', max: setting('cluster.max_shards_per_node.frozen') * nodes.filter((node) => node.roles.includes('data_frozen')).length, used: 0 },
  ];
}

function statusOf({ max, used }: Capacity): IndicatorStatus {
  if (used + ROOM.red > max) return 'red';
  return used + ROOM.yellow > max ? 'yellow' : 'green';
}

/** Whether shards can be added below `cluster.max_shards_per_node`. */
export const shardsCapacity: Indicator = ({ services }): Indication => {
  const state = services.cluster.state();
  const [data, frozen] = capacities(state, services.node.settings) as [Capacity, Capacity];
  const status = state.nodes.size === 0 ? 'green' : statusOf(data);
  const details = {
    data: { max_shards_in_cluster: data.max, ...(status === 'green' ? {} : { current_used_shards: data.used }) },
    frozen: { max_shards_in_cluster: frozen.max },
  };
  if (status === 'green') return { status, symptom: 'The cluster has enough room to add new shards.', details };
  return {
    status,
    symptom: 'Cluster is close to reaching the configured maximum number of shards for data nodes.',
    details,
    impacts: [
      status === 'red'
        ? { id: 'creation_of_new_indices_blocked', severity: 1, description: 'The cluster has too many used shards to be able to create new indices.', areas: ['ingest'] }
        : { id: 'creation_of_new_indices_at_risk', severity: 2, description: 'The cluster is running low on room to add new shards. Adding data to new indices is at risk', areas: ['ingest'] },
    ],
    diagnosis: [
      {
        id: 'increase_max_shards_per_node',
        cause: 'Elasticsearch is about to reach the maximum number of shards it can host, based on your current settings.',
        action: 'Increase the value of [cluster.max_shards_per_node] cluster setting or remove data indices to clear up resources.',
        helpUrl: 'https://ela.st/fix-shards-capacity',
        resources: {},
      },
    ],
  };
};
