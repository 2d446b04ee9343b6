import type { ShardRouting, UnassignedInfo } from '@shoal/state';
import { tableSummary } from './table-summary.js';
import type { Allocation } from './allocation.js';
import { drainingNode } from './deciders/node-shutdown.js';
import { unassignedIndices } from './assign-primaries.js';

/** Removes waits that are over: their time has come, or the awaited node is back and does not shut down. */
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

/** Removes waits that are over from unassigned copies. Later phases take every remaining mark for a wait. */
export function endWaits(allocation: Allocation): void {
  if (allocation.unassigned === 0) return;
  for (const meta of unassignedIndices(allocation)) {
    if (tableSummary(allocation.table(meta.uuid)).waiting === 0) continue;
    for (const copies of [...allocation.table(meta.uuid)]) for (const copy of copies) endWait(allocation, copy);
  }
}
