import { type ClusterState, derivedOf } from '@shoal/state';
import { type TableSummary, tableSummary } from './table-summary.js';

/** Sums over the routing tables of all indices. */
export interface RoutingTotals {
  /** Copies by node, as `TableSummary` counts them. Nodes without any are left out. */
  readonly counts: ReadonlyMap<string, number>;
  /** Indices with a copy by node, source nodes of relocations included. Nodes without any are left out. */
  readonly holders: ReadonlyMap<string, number>;
  /** Uuids of indices with copies that are not started: of all others there is nothing to do. */
  readonly unsettled: ReadonlySet<string>;
}

interface Sums {
  readonly counts: Map<string, number>;
  readonly holders: Map<string, number>;
  readonly unsettled: Set<string>;
}

const isUnsettled = ({ inactive, initializing, relocating }: TableSummary): boolean =>
  inactive + initializing + relocating > 0;

function add(sums: Map<string, number>, key: string, count: number): void {
  const sum = (sums.get(key) ?? 0) + count;
  if (sum === 0) sums.delete(key);
  else sums.set(key, sum);
}

function addTable(sums: Sums, { counts, holders }: TableSummary, sign: 1 | -1): void {
  for (const [nodeId, count] of counts) add(sums.counts, nodeId, sign * count);
  for (const nodeId of holders) add(sums.holders, nodeId, sign);
}

function compute(routing: ClusterState['routing']): RoutingTotals {
  const sums: Sums = { counts: new Map(), holders: new Map(), unsettled: new Set() };
  for (const [uuid, table] of routing) {
    const summary = tableSummary(table);
    addTable(sums, summary, 1);
    if (isUnsettled(summary)) sums.unsettled.add(uuid);
  }
  return sums;
}

const totalsOf = derivedOf(compute, (before, from, to, uuids) => {
  const sums: Sums = {
    counts: new Map(before.counts),
    holders: new Map(before.holders),
    unsettled: new Set(before.unsettled),
  };
  for (const uuid of uuids) {
    const [old, table] = [from.get(uuid), to.get(uuid)];
    if (old) addTable(sums, tableSummary(old), -1);
    sums.unsettled.delete(uuid);
    if (!table) continue;
    const summary = tableSummary(table);
    addTable(sums, summary, 1);
    if (isUnsettled(summary)) sums.unsettled.add(uuid);
  }
  return sums;
});

/** Sums over the routing tables of a state. They cost as much as has changed since a state whose sums are known. */
export const routingTotals = (state: ClusterState): RoutingTotals => totalsOf(state.routing);
