import { type ClusterState, clusterSetting, isDataNode, type NodeInfo } from '@shoal/state';
import type { Diagnosis, Impact, Indication, IndicatorStatus, Indicator } from './indicator.js';

/** Below this many free shards the status is red or yellow: five or ten primaries, each with a replica. */
const ROOM = { red: 10, yellow: 20 };

interface Capacity {
  readonly kind: 'data' | 'frozen';
  readonly max: number;
  readonly used: number;
}

const holdsMore = (node: NodeInfo): boolean =>
  isDataNode(node) && node.roles.some((role) => role.startsWith('data') && role !== 'data_frozen');

function usedShards(state: ClusterState): number {
  return [...state.indices.values()]
    .filter((meta) => meta.state === 'open')
    .reduce((sum, meta) => sum + meta.numberOfShards * (1 + meta.numberOfReplicas), 0);
}

function capacities(state: ClusterState, nodeSettings: Parameters<typeof clusterSetting>[2]): Capacity[] {
  const nodes = [...state.nodes.values()];
  const setting = (name: string): number => Number(clusterSetting(state, name, nodeSettings));
  return [
    {
      kind: 'data',
      max: setting('cluster.max_shards_per_node') * nodes.filter(holdsMore).length,
      used: usedShards(state),
    },
    {
      kind: 'frozen',
      max:
        setting('cluster.max_shards_per_node.frozen') *
        nodes.filter((node) => node.roles.includes('data_frozen')).length,
      used: 0,
    },
  ];
}

function statusOf({ max, used }: Capacity): IndicatorStatus {
  if (used + ROOM.red > max) return 'red';
  return used + ROOM.yellow > max ? 'yellow' : 'green';
}

type Kinds = readonly Capacity['kind'][];

const SETTINGS: Readonly<Record<Capacity['kind'], string>> = {
  data: 'cluster.max_shards_per_node',
  frozen: 'cluster.max_shards_per_node.frozen',
};

function impactsOf(status: IndicatorStatus): Impact[] {
  if (status === 'red') {
    return [
      {
        id: 'upgrade_blocked',
        severity: 1,
        description: 'The cluster has too many used shards to be able to upgrade.',
        areas: ['deployment_management'],
      },
      {
        id: 'creation_of_new_indices_blocked',
        severity: 1,
        description: 'The cluster is running low on room to add new shards. Adding data to new indices is at risk',
        areas: ['ingest'],
      },
    ];
  }
  return [
    {
      id: 'upgrade_at_risk',
      severity: 2,
      description: 'The cluster is running low on room to add new shard. Upgrading to a new version is at risk.',
      areas: ['deployment_management'],
    },
    {
      id: 'creation_of_new_indices_at_risk',
      severity: 2,
      description: 'The cluster is running low on room to add new shards. Adding data to new indices might soon fail.',
      areas: ['ingest'],
    },
  ];
}

function diagnose(kind: Capacity['kind']): Diagnosis {
  return {
    id: kind === 'data' ? 'increase_max_shards_per_node' : 'increase_max_shards_per_node_frozen',
    cause: 'Elasticsearch is about to reach the maximum number of shards it can host, based on your current settings.',
    action:
      `Increase the value of [${SETTINGS[kind]}] cluster setting or ` + `remove ${kind} indices to clear up resources.`,
    helpUrl: 'https://ela.st/fix-shards-capacity',
    resources: {},
  };
}

const nearlyFull = (kinds: Kinds): string =>
  `Cluster is close to reaching the configured maximum number of shards for ${kinds.join(' and ')} nodes.`;

/**
 * Indicator `shards_capacity`: whether shards can be added within `cluster.max_shards_per_node` and its variant for
 * frozen nodes.
 */
export const shardsCapacity: Indicator = ({ services }): Indication => {
  const state = services.cluster.state();
  // If there is no node of a kind, its capacity cannot be exhausted.
  const all = capacities(state, services.node.settings).map((capacity) => ({
    ...capacity,
    status: capacity.max === 0 ? ('green' as const) : statusOf(capacity),
  }));
  const full = all.filter(({ status }) => status !== 'green');
  const details = Object.fromEntries(
    all.map(({ kind, max, used, status }) => [
      kind,
      { max_shards_in_cluster: max, ...(status === 'green' ? {} : { current_used_shards: used }) },
    ]),
  );
  if (full.length === 0)
    return { status: 'green', symptom: 'The cluster has enough room to add new shards.', details, showsDetails: true };
  const status = full.some((one) => one.status === 'red') ? 'red' : 'yellow';
  return {
    status,
    symptom: nearlyFull(full.map(({ kind }) => kind)),
    details,
    showsDetails: true,
    impacts: impactsOf(status),
    diagnosis: full.map(({ kind }) => diagnose(kind)),
  };
};
