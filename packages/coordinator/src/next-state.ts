import type { CoordinatorContext } from './context.js';

/** After a refusal the next state is awaited, but not for ever: the link may be back without one. */
const RETRY_PAUSE_MS = 250;

/**
 * Waits for another state than `version`, for a quarter of a second or `leftMs` if that is less, before a shard is
 * asked again. True: a closed cluster waits for nothing, and nothing will change any more.
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
