import {
  indexSetting,
  type ClusterState,
  type ShardRouting,
  type UnassignedInfo,
  isRelocationTarget,
} from '@shoal/state';
import { tableSummary } from './table-summary.js';
import { settingMs } from './allocation-settings.js';
import type { AllocationContext } from './context.js';
import { promotionOrder } from './promotion-order.js';
import { ShardEdits } from './shard-edits.js';
import { failCopy, type PromotionOrder, type ShardGroup } from './shard-group.js';

/** Why the copies on a node are lost. */
export interface NodeLoss {
  readonly reason: 'NODE_LEFT' | 'NODE_RESTARTING' | 'CLUSTER_RECOVERED';
  readonly details: string | null;
  /** Minimum milliseconds that copies wait for the return of the node; absent for 0. */
  readonly delayMs?: number;
}

const DELAY = 'index.unassigned.node_left.delayed_timeout';

/** Returns the milliseconds that copies of an index wait for the return of a node that left. */
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

/**
 * Returns the next copy to remove: targets of relocations first, then replicas, the primary last. A replica promoted in
 * place of the primary is then never on a lost node itself.
 */
function nextLost(copies: readonly ShardRouting[], losses: ReadonlyMap<string, NodeLoss>): ShardRouting | undefined {
  const lost = copies.filter((copy) => copy.nodeId !== null && losses.has(copy.nodeId));
  return lost.find(isRelocationTarget) ?? lost.find((copy) => !copy.primary) ?? lost[0];
}

function loseCopies(
  group: ShardGroup,
  losses: ReadonlyMap<string, NodeLoss>,
  delayMs: number,
  nowMs: number,
  order: PromotionOrder,
): ShardGroup {
  let next = group;
  for (;;) {
    const copy = nextLost(next.copies, losses);
    if (!copy) return next;
    next = failCopy(next, copy, infoOf(losses.get(copy.nodeId!)!, copy, delayMs, nowMs), order);
  }
}

/** Removes all copies from lost nodes and promotes replicas of lost primaries. The nodes of the state stay. */
export function loseNodes(
  state: ClusterState,
  losses: ReadonlyMap<string, NodeLoss>,
  context: AllocationContext,
): ClusterState {
  const edits = new ShardEdits(state);
  const order = promotionOrder(state, context);
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

/** Recomputes the waits of copies after the settings of their indices have changed. */
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
