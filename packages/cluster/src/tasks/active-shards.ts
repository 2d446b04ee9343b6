import { isActive, parseActiveShards, indexSetting, type ClusterState, type IndexMetadata } from '@shoal/state';

/** Returns how many active copies of each shard a call waits for, by its parameter or the setting of the index. */
export function wantedActiveShards(meta: IndexMetadata, parameter: string | null | undefined): number {
  const wanted = parseActiveShards(
    parameter ?? String(indexSetting(meta.settings, 'index.write.wait_for_active_shards')),
  );
  return wanted === 'all' ? 1 + meta.numberOfReplicas : wanted;
}

/** Whether every shard of an index has `wanted` active copies. True for a deleted index. */
export function hasActiveShards(state: ClusterState, uuid: string, wanted: number): boolean {
  const table = state.routing.get(uuid);
  return !table || table.every((copies) => copies.filter(isActive).length >= wanted);
}
