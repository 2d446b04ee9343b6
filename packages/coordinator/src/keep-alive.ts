import { type ClusterState, clusterSetting } from '@shoal/state';
import { parseTimeValue } from '@shoal/values';

const LONGEST_MS = 86_400_000;

/** Returns the longest time that a cluster keeps a point in time or a scroll. */
export function keepAliveMax(state: ClusterState): number {
  const setting = clusterSetting(state, 'search.max_keep_alive');
  return typeof setting === 'string' ? parseTimeValue(setting, 'search.max_keep_alive') : LONGEST_MS;
}

/**
 * Returns how long what a page was read from is kept: as long as was asked for, and for the wait of the throttle before
 * the next page, but no longer than it may be.
 */
export function keptMs(askedMs: number, waitMs: number, maxMs = LONGEST_MS): number {
  return Math.max(askedMs, Math.min(maxMs, Math.ceil(askedMs + waitMs)));
}
