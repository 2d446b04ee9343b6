import { type ShardRouting, type UnassignedInfo, tableSummary } from '@shoal/state';
import type { Allocation } from './allocation.js';
import { drainingNode } from './deciders/node-shutdown.js';
import { unassignedIndices } from './assign-primaries.js';

/**
 * What is left of a wait: nothing once its time has come, or the node is back that was waited for; one that is about to
 * end is not.
 */
function remaining(allocation: Allocation, info: UnassignedInfo): UnassignedInfo {
  const { nowMs } = allocation.context;
  const { delayedUntilMs, retryAtMs, ...rest } = info;
  const isBack =
    info.lastNodeId !== undefined &&
    allocation.nodes.has(info.lastNodeId) &&
    !drainingNode(allocation.state, info.lastNodeId);
  const waits = delayedUntilMs !== undefined && delayedUntilMs > nowMs && !isBack;
  const rests = retryAtMs !== undefined && retryAtMs > nowMs;
  if (waits === (delayedUntilMs !== undefined) && rests === (retryAtMs !== undefined)) return info;
  return { ...rest, ...(waits ? { delayedUntilMs } : {}), ...(rests ? { retryAtMs } : {}) };
}

function endWait(allocation: Allocation, copy: ShardRouting): void {
  if (copy.state !== 'UNASSIGNED' || !copy.unassigned) return;
  const info = remaining(allocation, copy.unassigned);
  if (info !== copy.unassigned) allocation.annotate(copy, { unassigned: info });
}

/** Takes away marks of waiting that are over, so that what is marked is what still waits. */
export function endWaits(allocation: Allocation): void {
  if (allocation.unassigned === 0) return;
  for (const meta of unassignedIndices(allocation)) {
    if (tableSummary(allocation.table(meta.uuid)).waiting === 0) continue;
    for (const copies of [...allocation.table(meta.uuid)]) for (const copy of copies) endWait(allocation, copy);
  }
}
