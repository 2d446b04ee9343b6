import type { Clock } from '@shoal/doors';
import type { OwnCalls } from '@shoal/coordinator';
import type { TransformConfig } from './transform-config.js';
import type { TransformCounters } from './transform-progress.js';

/** Deletes the documents of the destination that are older than the retention policy says. */
export async function deleteExpired(
  { retention, dest }: TransformConfig,
  calls: OwnCalls,
  stats: TransformCounters,
  clock: Clock,
): Promise<void> {
  if (retention === null) return;
  const startedMs = clock.monotonic();
  const before = { lt: clock.now() - retention.maxAgeMs, format: 'epoch_millis' };
  stats.documents_deleted += await calls.deleteMatching(dest.index, { range: { [retention.field]: before } });
  stats.delete_time_in_ms += Math.round(clock.monotonic() - startedMs);
}
