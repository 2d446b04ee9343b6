import type { ClusterState, ShardRouting } from '../state.js';
import { Allocation } from './allocation.js';
import { primaryOf } from './copies.js';
import { type AllocationContext, type DesiredBalance, shardKey } from './context.js';
import { rebalance } from './rebalance.js';
import { assignPrimaries } from './assign-primaries.js';
import { assignReplicas } from './assign-replicas.js';
import { moveShards } from './move-shards.js';
import { ShardEdits } from './shard-edits.js';
import { startCopy } from './shard-group.js';
import { tableSummary } from './table-summary.js';

/** All recoveries of a state as if they had ended well. */
function startEverything(state: ClusterState, context: AllocationContext): ClusterState {
  const edits = new ShardEdits(state);
  for (const [uuid, table] of state.routing) {
    if (tableSummary(table).initializing === 0) continue;
    table.forEach((copies, shard) => {
      for (let group = edits.group(uuid, shard); group; ) {
        const copy: ShardRouting | undefined = group.copies.find((other) => other.state === 'INITIALIZING' && (other.primary || primaryOf(copies)?.state !== 'INITIALIZING'))
          ?? group.copies.find((other) => other.state === 'INITIALIZING');
        if (!copy) break;
        group = startCopy(group, copy, () => context.newUuid());
        edits.set(uuid, shard, group);
      }
    });
  }
  return edits.finish();
}

/** One step of the simulation: all phases without limits of concurrency. */
function step(state: ClusterState, context: AllocationContext): ClusterState {
  const allocation = new Allocation(startEverything(state, context), context, { isUnlimited: true });
  assignPrimaries(allocation);
  assignReplicas(allocation);
  moveShards(allocation);
  rebalance(allocation);
  return allocation.finish();
}

function nodesOf(state: ClusterState): Map<string, ReadonlySet<string>> {
  const nodes = new Map<string, ReadonlySet<string>>();
  for (const [uuid, table] of state.routing) {
    table.forEach((copies, shard) => nodes.set(shardKey(uuid, shard), new Set(copies.flatMap((copy) => (copy.nodeId === null || copy.state === 'RELOCATING' ? [] : [copy.nodeId])))));
  }
  return nodes;
}

const STEPS_MAX = 100;

/**
 * Simulates allocation until nothing changes any more, or `context.budgetMs` is over. Copies that are lost are placed as if their data were at hand,
 * so what cannot be known (stores not fetched yet) is left out.
 */
export function desiredBalance(state: ClusterState, context: AllocationContext): DesiredBalance {
  const { desired: _last, ...simulated } = context;
  const endMs = context.monotonicMs && context.budgetMs !== undefined ? context.monotonicMs() + context.budgetMs : Infinity;
  let current = state;
  for (let steps = 0; steps < STEPS_MAX; steps++) {
    const next = step(current, simulated);
    if (next === current) return { nodes: nodesOf(current), isConverged: true };
    current = next;
    if (context.monotonicMs && context.monotonicMs() >= endMs) break;
  }
  return { nodes: nodesOf(startEverything(current, context)), isConverged: false };
}
