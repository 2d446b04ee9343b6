import type { Json } from '@shoal/json';
import type { ShardStoreInfo } from '../allocation/context.js';
import {
  isActive,
  isRelocationTarget,
  indexHealth,
  type ClusterState,
  type IndexMetadata,
  type ShardRouting,
  nodeJson,
} from '@shoal/state';
import { defineTask, type TaskContext, type TaskResult } from './task.js';

/** Body of `shardStores`. */
export interface ShardStoresBody {
  readonly uuids: readonly string[];
  /** Health of the shards to return: `green`, `yellow`, `red`, `all`. */
  readonly statuses: readonly string[];
}

/** Answer of `shardStores`. */
export interface ShardStoresAnswer {
  readonly indices: Json;
  /** Whether some nodes have not sent their stores yet, so that the caller has to ask again. */
  readonly isPending: boolean;
}

function use(copies: readonly ShardRouting[], nodeId: string): 'primary' | 'replica' | 'unused' {
  const copy = copies.find((other) => other.nodeId === nodeId);
  if (!copy) return 'unused';
  return copy.primary && !isRelocationTarget(copy) ? 'primary' : 'replica';
}

const DAMAGED = {
  store_exception: {
    type: 'corrupt_index_exception',
    reason: 'the store lacks or spoiled operations it had acknowledged',
  },
};

interface StoreOnNode {
  readonly nodeId: string;
  readonly allocationId: string | null;
  readonly damaged: boolean;
}

/** Merges the stores that nodes reported with the active copies, whose nodes were perhaps not asked. */
function storesOf(copies: readonly ShardRouting[], told: readonly ShardStoreInfo[]): StoreOnNode[] {
  const known = new Set(told.map((store) => store.nodeId));
  const running = copies.flatMap((copy): StoreOnNode[] =>
    copy.nodeId !== null && isActive(copy) && !known.has(copy.nodeId)
      ? [{ nodeId: copy.nodeId, allocationId: copy.allocationId, damaged: false }]
      : [],
  );
  return [...running, ...told];
}

function shardJson(state: ClusterState, copies: readonly ShardRouting[], told: readonly ShardStoreInfo[]): Json {
  const order = { primary: 0, replica: 1, unused: 2 };
  const stores = storesOf(copies, told).flatMap((store) => {
    const node = state.nodes.get(store.nodeId);
    return node ? [{ ...store, node, use: use(copies, store.nodeId) }] : [];
  });
  stores.sort((a, b) => order[a.use] - order[b.use]);
  return {
    stores: stores.map(({ node, allocationId, damaged, use: allocation }) => ({
      [node.id]: nodeJson(node),
      ...(allocationId === null ? {} : { allocation_id: allocationId }),
      allocation,
      ...(damaged ? DAMAGED : {}),
    })),
  };
}

function apply(state: ClusterState, { uuids, statuses }: ShardStoresBody, context: TaskContext): TaskResult {
  let isPending = false;
  const indexJson = (meta: IndexMetadata): [string, Json][] => {
    const { shards: healths } = indexHealth(state, meta);
    const shards = (state.routing.get(meta.uuid) ?? []).flatMap((copies, shard): [string, Json][] => {
      if (!statuses.includes('all') && !statuses.includes(healths[shard]!.status)) return [];
      const told = context.stores?.(meta.uuid, shard) ?? [];
      if (told === 'unknown') isPending = true;
      return [[String(shard), shardJson(state, copies, told === 'unknown' ? [] : told)]];
    });
    return shards.length === 0 ? [] : [[meta.name, { shards: Object.fromEntries(shards) }]];
  };
  const indices = Object.fromEntries(uuids.flatMap((uuid) => state.indices.get(uuid) ?? []).flatMap(indexJson));
  const answer: ShardStoresAnswer = { indices, isPending };
  return { state, answer };
}

/** Returns the stores of shards on all nodes, known to the master. Changes nothing. */
export const shardStores = defineTask<ShardStoresBody>({
  name: 'shard-stores',
  priority: 'IMMEDIATE',
  source: () => 'indices_shard_stores',
  apply,
});
