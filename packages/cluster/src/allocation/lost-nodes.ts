import {
  indexSetting,
  type ClusterState,
  type ShardRouting,
  type UnassignedInfo,
  isRelocationTarget,
  tableSummary,
} from '@shoal/state';
import { settingMs } from './allocation-settings.js';
import type { AllocationContext } from './context.js';
import { heirOrder } from './heirs.js';
import { ShardEdits } from './shard-edits.js';
import { failCopy, type HeirOrder, type ShardGroup } from './shard-group.js';

/** Why the copies of a node are lost. */
export interface NodeLoss {
  readonly reason: 'NODE_LEFT' | 'NODE_RESTARTING' | 'CLUSTER_RECOVERED';
  readonly details: string | null;
  /** A node that restarts is waited for at least so long. */
  readonly delayMs?: number;
}

const DELAY = 'index.unassigned.node_left.delayed_timeout';

/** Milliseconds that copies of an index wait for a node that left. */
export function nodeLeftDelayMs(settings: Parameters<typeof indexSetting>[0]): number {
  return Math.max(0, settingMs(indexSetting(settings, DELAY), DELAY));
}

function infoOf(loss: NodeLoss, copy: ShardRouting, indexDelayMs: number, nowMs: number): UnassignedInfo {
  const delayMs = Math.max(indexDelayMs, loss.delayMs ?? 0);
  const waits = loss.reason !== 'CLUSTER_RECOVERED' && delayMs > 0;
  return {
    reason: loss.reason,
    atMs: nowMs,
    details: loss.details,
    failedAttempts: 0,
    ...(waits ? { delayedUntilMs: nowMs + delayMs } : {}),
    ...(copy.nodeId === null ? {} : { lastNodeId: copy.nodeId }),
  };
}

/** Targets of moves first, the primary last: what takes its place must not be lost too. */
function nextLost(copies: readonly ShardRouting[], losses: ReadonlyMap<string, NodeLoss>): ShardRouting | undefined {
  const lost = copies.filter((copy) => copy.nodeId !== null && losses.has(copy.nodeId));
  return lost.find(isRelocationTarget) ?? lost.find((copy) => !copy.primary) ?? lost[0];
}

function loseCopies(
  group: ShardGroup,
  losses: ReadonlyMap<string, NodeLoss>,
  delayMs: number,
  nowMs: number,
  order: HeirOrder,
): ShardGroup {
  let next = group;
  for (;;) {
    const copy = nextLost(next.copies, losses);
    if (!copy) return next;
    next = failCopy(next, copy, infoOf(losses.get(copy.nodeId!)!, copy, delayMs, nowMs), order);
  }
}

/**
 * Takes all copies off some nodes and promotes replicas where primaries were; the state with the nodes themselves
 * unchanged.
 */
export function loseNodes(
  state: ClusterState,
  losses: ReadonlyMap<string, NodeLoss>,
  context: AllocationContext,
): ClusterState {
  const edits = new ShardEdits(state);
  const order = heirOrder(state, context);
  for (const [uuid, table] of state.routing) {
    const { holders } = tableSummary(table);
    if (![...losses.keys()].some((nodeId) => holders.has(nodeId))) continue;
    const delayMs = nodeLeftDelayMs(state.indices.get(uuid)?.settings ?? {});
    table.forEach((copies, shard) => {
      const group = nextLost(copies, losses) ? edits.group(uuid, shard) : null;
      if (group) edits.set(uuid, shard, loseCopies(group, losses, delayMs, context.nowMs, order));
    });
  }
  return edits.finish();
}

function withNewDelay(copy: ShardRouting, delayMs: number): ShardRouting {
  if (copy.unassigned?.delayedUntilMs === undefined) return copy;
  const { delayedUntilMs, ...rest } = copy.unassigned;
  const until = rest.atMs + delayMs;
  return until === delayedUntilMs
    ? copy
    : { ...copy, unassigned: delayMs > 0 ? { ...rest, delayedUntilMs: until } : rest };
}

/** Puts the waits of copies in line with the settings of their indices. */
export function refreshDelays(state: ClusterState, uuids: readonly string[]): ClusterState {
  const edits = new ShardEdits(state);
  for (const uuid of uuids) {
    const table = state.routing.get(uuid) ?? [];
    if (table.length === 0 || tableSummary(table).unassigned === 0) continue;
    const delayMs = nodeLeftDelayMs(state.indices.get(uuid)?.settings ?? {});
    table.forEach((copies, shard) => {
      const next = copies.map((copy) => withNewDelay(copy, delayMs));
      if (next.some((copy, i) => copy !== copies[i]))
        edits.set(uuid, shard, { ...edits.group(uuid, shard)!, copies: next });
    });
  }
  return edits.finish();
}
