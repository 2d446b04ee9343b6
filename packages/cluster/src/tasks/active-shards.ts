import { isActive, parseActiveShards, indexSetting, type ClusterState, type IndexMetadata } from '@shoal/state';

/** How many copies of each shard a call waits for: its own parameter or the index's setting. */
export function wantedActiveShards(meta: IndexMetadata, parameter: string | null | undefined): number {
  const wanted = parseActiveShards(
    parameter ?? String(indexSetting(meta.settings, 'index.write.wait_for_active_shards')),
  );
  return wanted === 'all' ? 1 + meta.numberOfReplicas : wanted;
}

/** Whether every shard of an index has that many active copies. A deleted index counts as ready. */
export function hasActiveShards(state: ClusterState, uuid: string, wanted: number): boolean {
  const table = state.routing.get(uuid);
  return !table || table.every((copies) => copies.filter(isActive).length >= wanted);
}
