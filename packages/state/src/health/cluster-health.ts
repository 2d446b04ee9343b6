import { isActive, isDataNode, isRelocationTarget } from '../shards/copies.js';
import { isDelayed } from '../shards/delays.js';
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

/**
 * A primary that never started is yellow as long as nothing went wrong with it and some node may have it, red
 * otherwise.
 */
function inactivePrimaryStatus(primary: ShardRouting | undefined): HealthStatus {
  const source = primary?.recoverySource;
  const isFresh =
    (source === 'EMPTY_STORE' || source === 'LOCAL_SHARDS' || source === 'SNAPSHOT') && primary?.isForced !== true;
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
  return {
    status,
    primaryActive,
    active,
    relocating: count('RELOCATING'),
    initializing: count('INITIALIZING'),
    unassigned: count('UNASSIGNED'),
  };
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

type Table = readonly (readonly ShardRouting[])[];
type TableHealth = Pick<IndexHealth, 'status' | 'activePrimaries' | 'shards' | keyof Counts> &
  Pick<ClusterHealth, 'delayedUnassigned' | 'inFlightFetches'>;

const healths = new WeakMap<Table, TableHealth>();

function healthOf(table: Table): TableHealth {
  const shards = table.map(shardHealth);
  const isFetching = (copy: ShardRouting): boolean =>
    copy.unassigned?.status === 'fetching_shard_data' && copy.state === 'UNASSIGNED';
  return {
    status: worst(shards.map((shard) => shard.status)),
    activePrimaries: shards.filter((shard) => shard.primaryActive).length,
    ...sum(shards),
    shards,
    delayedUnassigned: table.reduce((total, copies) => total + copies.filter(isDelayed).length, 0),
    inFlightFetches: table.filter((copies) => copies.some(isFetching)).length,
  };
}

/**
 * Derived once for each table, as tables never change: who asks for the health of a cluster pays for what changed since
 * the last time.
 */
function tableHealth(table: Table): TableHealth {
  let health = healths.get(table);
  if (!health) healths.set(table, (health = healthOf(table)));
  return health;
}

const NO_SHARDS: Table = [];

export function indexHealth(state: ClusterState, meta: IndexMetadata): IndexHealth {
  const { status, activePrimaries, active, relocating, initializing, unassigned, shards } = tableHealth(
    state.routing.get(meta.uuid) ?? NO_SHARDS,
  );
  return {
    name: meta.name,
    status,
    numberOfShards: meta.numberOfShards,
    numberOfReplicas: meta.numberOfReplicas,
    activePrimaries,
    active,
    relocating,
    initializing,
    unassigned,
    shards,
  };
}

/** A node that has no master, or no state yet, can say nothing good of its cluster. */
const isReady = ({ blocks }: ClusterState): boolean =>
  !blocks.some(({ id, indexUuid }) => indexUuid === null && (id === 1 || id === 2));

/** Copies that wait for their node, and shards about whose stores nodes are being asked. */
function waiting(
  state: ClusterState,
  indices: readonly IndexMetadata[],
): Pick<ClusterHealth, 'delayedUnassigned' | 'inFlightFetches'> {
  let [delayedUnassigned, inFlightFetches] = [0, 0];
  for (const { uuid } of indices) {
    const health = tableHealth(state.routing.get(uuid) ?? NO_SHARDS);
    delayedUnassigned += health.delayedUnassigned;
    inFlightFetches += health.inFlightFetches;
  }
  return { delayedUnassigned, inFlightFetches };
}

/** Health of the given indices, from the state alone. */
export function clusterHealth(
  state: ClusterState,
  indices: readonly IndexMetadata[] = [...state.indices.values()],
): ClusterHealth {
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
