import { clusterHealth, type ClusterState } from '@shoal/state';
import { gauge, labelled, type Metric } from './metric.js';

const STATUSES = ['green', 'yellow', 'red'] as const;

/** Metrics of the cluster as this node sees it. `pendingTasks` is null on nodes that are not the master. */
export function clusterMetrics(state: ClusterState, localNodeId: string, pendingTasks: number | null): Metric[] {
  const health = clusterHealth(state);
  const shards: [string, number][] = [
    ['active', health.active],
    ['active_primary', health.activePrimaries],
    ['relocating', health.relocating],
    ['initializing', health.initializing],
    ['unassigned', health.unassigned],
    ['delayed_unassigned', health.delayedUnassigned],
  ];
  return [
    gauge(
      'cluster_status',
      'The status of the cluster is 1, the others are 0.',
      labelled(
        'status',
        STATUSES.map((status) => [status, status === health.status ? 1 : 0]),
      ),
    ),
    gauge(
      'cluster_nodes',
      'Nodes of the cluster.',
      labelled('kind', [
        ['all', health.numberOfNodes],
        ['data', health.numberOfDataNodes],
      ]),
    ),
    gauge('cluster_shards', 'Copies of shards by state.', labelled('state', shards)),
    gauge('cluster_indices', 'Indices of the cluster.', state.indices.size),
    gauge('cluster_state_version', 'Version of the state that this node has applied.', state.version),
    gauge('cluster_has_master', 'Whether this node knows a master.', state.masterNodeId === null ? 0 : 1),
    gauge('cluster_is_master', 'Whether this node is the master.', state.masterNodeId === localNodeId ? 1 : 0),
    ...(pendingTasks === null
      ? []
      : [gauge('cluster_pending_tasks', 'Tasks that wait for the master; only the master tells.', pendingTasks)]),
  ];
}
