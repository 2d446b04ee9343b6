import { errors } from '@shoal/errors';
import { dataNodes } from '../allocation/copies.js';
import { clusterSetting, type FlatSettings, type ClusterState } from '@shoal/state';

function openShards(state: ClusterState): number {
  let total = 0;
  for (const meta of state.indices.values())
    if (meta.state === 'open') total += meta.numberOfShards * (1 + meta.numberOfReplicas);
  return total;
}

/**
 * Throws if the cluster would exceed `cluster.max_shards_per_node` times the number of data nodes. `adding`: number of
 * new copies, replicas included.
 */
export function checkShardLimit(state: ClusterState, adding: number, nodeSettings: FlatSettings): void {
  const perNode = Number(clusterSetting(state, 'cluster.max_shards_per_node', nodeSettings));
  const max = perNode * Math.max(1, dataNodes(state).length);
  const current = openShards(state);
  if (adding <= 0 || current + adding <= max) return;
  throw errors.validation(
    `Validation Failed: 1: this action would add [${adding}] shards, but this cluster currently has ` +
      `[${current}]/[${max}] maximum normal shards open;`,
  );
}
