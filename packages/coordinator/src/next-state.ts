import type { CoordinatorContext } from './context.js';

/** Limit for waiting for the next state before a retry: a broken connection may return without a new state. */
const RETRY_PAUSE_MS = 250;

/**
 * Waits for a state with another version than `version` before a shard is asked again, at most 250 ms or `leftMs`.
 * Returns true if the node is closing: its cluster service then stops waiting at once, and no state will follow.
 */
export async function isNodeClosing(
  { cluster, clock }: CoordinatorContext,
  version: number,
  leftMs: number,
): Promise<boolean> {
  const pauseMs = Math.min(leftMs, RETRY_PAUSE_MS);
  const startedMs = clock.monotonic();
  const isChanged = await cluster.waitFor((state) => state.version !== version, pauseMs);
  return !isChanged && clock.monotonic() - startedMs < pauseMs / 2;
}
