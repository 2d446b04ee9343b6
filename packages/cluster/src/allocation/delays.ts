import type { ClusterState, ShardRouting } from '@shoal/state';
import { routingTotals } from './routing-totals.js';
import { tableSummary } from './table-summary.js';

/**
 * Milliseconds that a copy waits after its first, second … failure in a row; later failures wait as long as the last
 * entry says.
 */
const RETRY_AFTER_MS = [0, 500, 1_000, 2_000, 4_000];

/** Returns when a copy with so many failures may be retried, in milliseconds since 1970; null for at once. */
export function retryAtMs(failedAttempts: number, nowMs: number): number | null {
  const waitMs = RETRY_AFTER_MS[Math.min(failedAttempts, RETRY_AFTER_MS.length) - 1] ?? 0;
  return waitMs === 0 ? null : nowMs + waitMs;
}

/**
 * Whether a copy still waits after a failure. Example: master n1, whose clock is an hour ahead, sets `retryAtMs`; n2
 * becomes master. The wait would last an hour. As no wait is longer than the last entry of `RETRY_AFTER_MS`, n2 takes
 * this wait as over.
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
 * Returns when the next `reroute` is due, because some copy has then waited long enough for its node or after a
 * failure; null if no copy waits. A reroute at this time or later ends the wait.
 */
export function nextDelayedRerouteAt(state: ClusterState): number | null {
  let earliest = Infinity;
  for (const uuid of routingTotals(state).unsettled) {
    const table = state.routing.get(uuid)!;
    if (tableSummary(table).waiting === 0) continue;
    for (const copies of table) for (const copy of copies) earliest = Math.min(earliest, wakesAt(copy));
  }
  return earliest === Infinity ? null : earliest;
}
