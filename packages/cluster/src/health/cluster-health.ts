import { isActive, isDataNode, isRelocationTarget } from '../allocation/copies.js';
import { isDelayed } from '../allocation/delays.js';
import { tableSummary } from '../allocation/table-summary.js';
import type { ClusterState, IndexMetadata, ShardRouting } from '../state.js';

export type HealthStatus = 'green' | 'yellow' | 'red';

export interface ShardHealth {
  readonly status: HealthStatus;
  readonly primaryActive: boolean;
  readonly active: number;
  readonly relocating: number;
  readonly initializing: number;
  readonly unassigned: number;
}

export interface IndexHealth {
  readonly name: string;
  readonly status: HealthStatus;
  readonly numberOfShards: number;
  readonly numberOfReplicas: number;
  readonly activePrimaries: number;
  readonly active: number;
  readonly relocating: number;
  readonly initializing: number;
  readonly unassigned: number;
  readonly shards: readonly ShardHealth[];
}

export interface ClusterHealth {
  readonly status: HealthStatus;
  readonly numberOfNodes: number;
  readonly numberOfDataNodes: number;
  readonly activePrimaries: number;
  readonly active: number;
  readonly relocating: number;
  readonly initializing: number;
  readonly unassigned: number;
  readonly delayedUnassigned: number;
  readonly inFlightFetches: number;
  /** 0 to 100. */
  readonly activePercent: number;
  readonly indices: readonly IndexHealth[];
}

const RANK: Readonly<Record<HealthStatus, number>> = { green: 0, yellow: 1, red: 2 };

export function worst(statuses: Iterable<HealthStatus>): HealthStatus {
  let result: HealthStatus = 'green';
  for (const status of statuses) if (RANK[status] > RANK[result]) result = status;
  return result;
}

/** Whether `status` is at least as good as `wanted`. */
export function atLeast(status: HealthStatus, wanted: HealthStatus): boolean {
  return RANK[status] <= RANK[wanted];
}

/** A primary that never started is yellow as long as nothing went wrong with it and some node may have it, red otherwise. */
function inactivePrimaryStatus(primary: ShardRouting | undefined): HealthStatus {
  const source = primary?.recoverySource;
  const isFresh = (source === 'EMPTY_STORE' || source === 'LOCAL_SHARDS' || source === 'SNAPSHOT') && primary?.isForced !== true;
  const info = primary?.unassigned;
  const isRefused = primary?.state === 'UNASSIGNED' && info?.status === 'deciders_no';
  return isFresh && !isRefused && (info?.failedAttempts ?? 0) === 0 ? 'yellow' : 'red';
}

/** Health of one shard from its copies; the target of a move is no copy of its own. */
export function shardHealth(all: readonly ShardRouting[]): ShardHealth {
  const copies = all.some(isRelocationTarget) ? all.filter((copy) => !isRelocationTarget(copy)) : all;
  const count = (state: ShardRouting['state']): number => copies.filter((copy) => copy.state === state).length;
  const primary = copies.find((copy) => copy.primary);
  const active = copies.filter(isActive).length;
  const primaryActive = primary !== undefined && isActive(primary);
  const status = !primaryActive ? inactivePrimaryStatus(primary) : active < copies.length ? 'yellow' : 'green';
  return { status, primaryActive, active, relocating: count('RELOCATING'), initializing: count('INITIALIZING'), unassigned: count('UNASSIGNED') };
}

type Counts = Pick<IndexHealth, 'active' | 'relocating' | 'initializing' | 'unassigned'>;

function sum(items: readonly Counts[]): Counts {
  const total = { active: 0, relocating: 0, initializing: 0, unassigned: 0 };
  for (const item of items) {
    total.active += item.active;
    total.relocating += item.relocating;
    total.initializing += item.initializing;
    total.unassigned += item.unassigned;
  }
  return total;
}

export function indexHealth(state: ClusterState, meta: IndexMetadata): IndexHealth {
  const shards = (state.routing.get(meta.uuid) ?? []).map(shardHealth);
  return {
    name: meta.name,
    status: worst(shards.map((shard) => shard.status)),
    numberOfShards: meta.numberOfShards,
    numberOfReplicas: meta.numberOfReplicas,
    activePrimaries: shards.filter((shard) => shard.primaryActive).length,
    ...sum(shards),
    shards,
  };
}

/** A node that has no master, or no state yet, can say nothing good of its cluster. */
const isReady = ({ blocks }: ClusterState): boolean => !blocks.some(({ id, indexUuid }) => indexUuid === null && (id === 1 || id === 2));

/** Copies that wait for their node, and shards about whose stores nodes are being asked. */
function waiting(state: ClusterState, indices: readonly IndexMetadata[]): Pick<ClusterHealth, 'delayedUnassigned' | 'inFlightFetches'> {
  let [delayedUnassigned, inFlightFetches] = [0, 0];
  for (const { uuid } of indices) {
    const table = state.routing.get(uuid);
    if (!table || tableSummary(table).unassigned === 0) continue;
    for (const copies of table) {
      delayedUnassigned += copies.filter(isDelayed).length;
      if (copies.some((copy) => copy.unassigned?.status === 'fetching_shard_data' && copy.state === 'UNASSIGNED')) inFlightFetches++;
    }
  }
  return { delayedUnassigned, inFlightFetches };
}

/** Health of the given indices, from the state alone. */
export function clusterHealth(state: ClusterState, indices: readonly IndexMetadata[] = [...state.indices.values()]): ClusterHealth {
  const parts = indices.map((meta) => indexHealth(state, meta));
  const counts = sum(parts);
  const all = counts.active + counts.initializing + counts.unassigned;
  const nodes = [...state.nodes.values()];
  return {
    status: isReady(state) ? worst(parts.map((part) => part.status)) : 'red',
    numberOfNodes: nodes.length,
    numberOfDataNodes: nodes.filter(isDataNode).length,
    activePrimaries: parts.reduce((total, part) => total + part.activePrimaries, 0),
    ...counts,
    ...waiting(state, indices),
    activePercent: all === 0 ? 100 : (counts.active / all) * 100,
    indices: parts,
  };
}
