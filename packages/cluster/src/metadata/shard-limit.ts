import { errors } from '@shoal/errors';
import { dataNodes } from '../allocation/copies.js';
import { clusterSetting, type ClusterState, derivedOf, type FlatSettings, type IndexMetadata } from '@shoal/state';

const shardsOf = (meta: IndexMetadata | undefined): number =>
  meta?.state === 'open' ? meta.numberOfShards * (1 + meta.numberOfReplicas) : 0;

const openShards = derivedOf(
  (indices: ClusterState['indices']) => [...indices.values()].reduce((total, meta) => total + shardsOf(meta), 0),
  (before, from, to, uuids) =>
    [...uuids].reduce((total, uuid) => total - shardsOf(from.get(uuid)) + shardsOf(to.get(uuid)), before),
);

/**
 * Throws if the cluster would exceed `cluster.max_shards_per_node` times the number of data nodes. `adding`: number of
 * new copies, replicas included.
 */
export function checkShardLimit(state: ClusterState, adding: number, nodeSettings: FlatSettings): void {
  const perNode = Number(clusterSetting(state, 'cluster.max_shards_per_node', nodeSettings));
  const max = perNode * Math.max(1, dataNodes(state).length);
  const current = openShards(state.indices);
  if (adding <= 0 || current + adding <= max) return;
  throw errors.validation(
    `Validation Failed: 1: this action would add [${adding}] shards, but this cluster currently has ` +
      `[${current}]/[${max}] maximum normal shards open;`,
  );
}
