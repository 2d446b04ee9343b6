import type { ClusterState, ShardRouting } from '../state.js';
import { tableSummary } from './table-summary.js';

/** How long a copy waits after its first, second … failure in a row. */
const RETRY_AFTER_MS = [0, 500, 1_000, 2_000, 4_000];

/** When a copy that failed so often may try again; null: at once. */
export function retryAtMs(failedAttempts: number, nowMs: number): number | null {
  const waitMs = RETRY_AFTER_MS[Math.min(failedAttempts, RETRY_AFTER_MS.length) - 1] ?? 0;
  return waitMs === 0 ? null : nowMs + waitMs;
}

/**
 * Whether a copy that failed has to wait still. A time that no wait reaches to is of a master whose clock was ahead:
 * that one is over.
 */
export function waitsForRetry(copy: ShardRouting, nowMs: number): boolean {
  const waitMs = (copy.unassigned?.retryAtMs ?? 0) - nowMs;
  return waitMs > 0 && waitMs <= RETRY_AFTER_MS.at(-1)!;
}

function wakesAt(copy: ShardRouting): number {
  const { delayedUntilMs = Infinity, retryAtMs: retryAt = Infinity } = copy.unassigned ?? {};
  return copy.state === 'UNASSIGNED' ? Math.min(delayedUntilMs, retryAt) : Infinity;
}

/**
 * When the next `reroute` is due because a copy has waited long enough for its node or after a failure; null: nothing
 * waits. A reroute at or after that time ends the wait.
 */
export function nextDelayedRerouteAt(state: ClusterState): number | null {
  let earliest = Infinity;
  for (const table of state.routing.values()) {
    if (tableSummary(table).waiting === 0) continue;
    for (const copies of table) for (const copy of copies) earliest = Math.min(earliest, wakesAt(copy));
  }
  return earliest === Infinity ? null : earliest;
}

/** Copies that wait for the node they were on. */
export function isDelayed(copy: ShardRouting): boolean {
  return copy.state === 'UNASSIGNED' && copy.unassigned?.delayedUntilMs !== undefined;
}
