import { isQuorum, sameConfig } from './quorum.js';

/** Most nodes that may be excluded from voting at a time. */
export const EXCLUSIONS_MAX = 10;

/** Input for the next voting configuration. */
export interface ReconfigurationInput {
  /** Ids of the voters in the cluster that are linked and have not failed. */
  readonly live: readonly string[];
  readonly exclusions: readonly string[];
  readonly leaderId: string;
  readonly current: readonly string[];
  readonly autoShrink: boolean;
}

const largestOdd = (n: number): number => (n % 2 === 0 ? n - 1 : n);

function configSize(liveCount: number, keptCount: number, autoShrink: boolean): number {
  const wanted = largestOdd(liveCount);
  if (!autoShrink) return Math.max(wanted, keptCount);
  return Math.max(wanted, keptCount >= 3 ? 3 : 1);
}

/**
 * The voting configuration that tolerates most failures: an odd number of live voters, and at least three while three
 * members are not excluded. Preferred are the leader, live members, other live voters, absent members, each in the
 * order of ids. Returns `current` itself if nothing changes, or if the live voters are not a quorum of the new one.
 */
export function reconfigure(input: ReconfigurationInput): readonly string[] {
  const { exclusions, leaderId, current } = input;
  const live = input.live.filter((id) => !exclusions.includes(id)).sort();
  const kept = current.filter((id) => !exclusions.includes(id)).length;
  const size = configSize(live.length, kept, input.autoShrink);
  const absent = current.filter((id) => !live.includes(id) && !exclusions.includes(id)).sort();
  const order = [
    ...live.filter((id) => id === leaderId),
    ...live.filter((id) => id !== leaderId && current.includes(id)),
    ...live.filter((id) => id !== leaderId && !current.includes(id)),
    ...absent,
  ];
  const next = order.slice(0, size).sort();
  return sameConfig(next, current) || !isQuorum(live, next) ? current : next;
}
