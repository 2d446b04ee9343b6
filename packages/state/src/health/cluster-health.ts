import { derivedOf } from '../edited-map.js';
import { isActive, isDataNode, isDelayed, isRelocationTarget } from '../shards/copies.js';
import type { ClusterState, IndexMetadata, ShardRouting } from '../state.js';

/** Health, best first: all copies active, all primaries active, some primary not active. */
export type HealthStatus = 'green' | 'yellow' | 'red';

/** Health of one shard, with counts of its copies by state. */
export interface ShardHealth {
  readonly status: HealthStatus;
  readonly primaryActive: boolean;
  readonly active: number;
  readonly relocating: number;
  readonly initializing: number;
  readonly unassigned: number;
}

/** Health of one index, with counts of its copies by state. */
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

/** Health of the cluster or of some indices: the answer of `_cluster/health`. */
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
  /** Active shards in percent, 0 to 100. */
  readonly activePercent: number;
  readonly indices: readonly IndexHealth[];
}

const RANK: Readonly<Record<HealthStatus, number>> = { green: 0, yellow: 1, red: 2 };

/** Returns the worst of several statuses; green if there are none. */
export function worst(statuses: Iterable<HealthStatus>): HealthStatus {
  let result: HealthStatus = 'green';
  for (const status of statuses) if (RANK[status] > RANK[result]) result = status;
  return result;
}

/**
 * Health of a shard whose primary is not active. Yellow if the primary never started, has not failed, and some node may
 * hold it; otherwise red.
 */
function inactivePrimaryStatus(primary: ShardRouting | undefined): HealthStatus {
  const source = primary?.recoverySource;
  const isFresh =
    (source === 'EMPTY_STORE' || source === 'LOCAL_SHARDS' || source === 'SNAPSHOT') && primary?.isForced !== true;
  const info = primary?.unassigned;
  const isRefused = primary?.state === 'UNASSIGNED' && info?.status === 'deciders_no';
  return isFresh && !isRefused && (info?.failedAttempts ?? 0) === 0 ? 'yellow' : 'red';
}

/** Health of one shard from its copies. The target of a relocation does not count as a copy. */
function shardHealth(all: readonly ShardRouting[]): ShardHealth {
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
 * Health of a routing table. Computed once for each table, as tables are immutable: cluster health costs only the
 * tables that changed since the last request.
 */
function tableHealth(table: Table): TableHealth {
  let health = healths.get(table);
  if (!health) healths.set(table, (health = healthOf(table)));
  return health;
}

const NO_SHARDS: Table = [];

/** Health of one index, computed from the state alone. */
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

/** Whether the node has a state and a master. Without them it reports its cluster as red. */
const isReady = ({ blocks }: ClusterState): boolean =>
  !blocks.some(({ id, indexUuid }) => indexUuid === null && (id === 1 || id === 2));

/** Sums over routing tables, and how many of them have each status. */
interface HealthSums {
  readonly statuses: Readonly<Record<HealthStatus, number>>;
  readonly activePrimaries: number;
  readonly active: number;
  readonly relocating: number;
  readonly initializing: number;
  readonly unassigned: number;
  readonly delayedUnassigned: number;
  readonly inFlightFetches: number;
}

const NO_SUMS: HealthSums = {
  statuses: { green: 0, yellow: 0, red: 0 },
  activePrimaries: 0,
  active: 0,
  relocating: 0,
  initializing: 0,
  unassigned: 0,
  delayedUnassigned: 0,
  inFlightFetches: 0,
};

/** Adds the health of a table, or takes it away with `times` -1. */
function addHealth(sums: HealthSums, table: Table | undefined, times: 1 | -1): HealthSums {
  if (!table) return sums;
  const health = tableHealth(table);
  return {
    statuses: { ...sums.statuses, [health.status]: sums.statuses[health.status] + times },
    activePrimaries: sums.activePrimaries + times * health.activePrimaries,
    active: sums.active + times * health.active,
    relocating: sums.relocating + times * health.relocating,
    initializing: sums.initializing + times * health.initializing,
    unassigned: sums.unassigned + times * health.unassigned,
    delayedUnassigned: sums.delayedUnassigned + times * health.delayedUnassigned,
    inFlightFetches: sums.inFlightFetches + times * health.inFlightFetches,
  };
}

const sumTables = (tables: Iterable<Table>): HealthSums => {
  let sums = NO_SUMS;
  for (const table of tables) sums = addHealth(sums, table, 1);
  return sums;
};

const sumsOfAll = derivedOf(
  (routing: ClusterState['routing']) => sumTables(routing.values()),
  (before, from, to, uuids) =>
    [...uuids].reduce((sums, uuid) => addHealth(addHealth(sums, from.get(uuid), -1), to.get(uuid), 1), before),
);

const worstOf = ({ red, yellow }: HealthSums['statuses']): HealthStatus =>
  red > 0 ? 'red' : yellow > 0 ? 'yellow' : 'green';

/**
 * Health of `indices`, computed from the state alone. That of all indices costs as much as has changed since a state
 * whose health is known.
 */
export function clusterHealth(state: ClusterState, indices?: readonly IndexMetadata[]): ClusterHealth {
  const { statuses, ...counts } = indices
    ? sumTables(indices.map(({ uuid }) => state.routing.get(uuid) ?? NO_SHARDS))
    : sumsOfAll(state.routing);
  const all = counts.active + counts.initializing + counts.unassigned;
  const nodes = [...state.nodes.values()];
  return {
    status: isReady(state) ? worstOf(statuses) : 'red',
    numberOfNodes: nodes.length,
    numberOfDataNodes: nodes.filter(isDataNode).length,
    ...counts,
    activePercent: all === 0 ? 100 : (counts.active / all) * 100,
    get indices() {
      return (indices ?? [...state.indices.values()]).map((meta) => indexHealth(state, meta));
    },
  };
}
