import type { SnapshotInfo } from '@shoal/coordinator';
import { parseTimeValue } from '@shoal/values';
import type { SnapshotPolicy } from './snapshot-policy.js';

/**
 * Returns the snapshots that the retention of their policy no longer keeps, oldest first. `min_count` and `max_count`
 * count successful snapshots. Unsuccessful ones go by their age, and as soon as a later success is there and no age is
 * given.
 */
export function expiredSnapshots(
  retention: NonNullable<SnapshotPolicy['retention']>,
  snapshots: readonly SnapshotInfo[],
  nowMs: number,
): readonly SnapshotInfo[] {
  const { expire_after: age, min_count: min = 0, max_count: max = Infinity } = retention;
  const ageMs = age === undefined ? Infinity : parseTimeValue(age, 'expire_after');
  const finished = snapshots
    .filter(({ state }) => state !== 'IN_PROGRESS')
    .toSorted((a, b) => a.startedAtMs - b.startedAtMs);
  const good = finished.filter(({ state }) => state === 'SUCCESS');
  const newestGood = good.at(-1)?.startedAtMs ?? -Infinity;
  const isOld = ({ startedAtMs }: SnapshotInfo): boolean => nowMs - startedAtMs > ageMs;
  let left = good.length;
  return finished.filter((info) => {
    if (info.state !== 'SUCCESS') return isOld(info) || (age === undefined && info.startedAtMs < newestGood);
    const isGone = left > max || (left > min && isOld(info));
    if (isGone) left--;
    return isGone;
  });
}
