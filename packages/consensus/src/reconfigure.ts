import { isQuorum, sameConfig } from './quorum.js';

/** Most nodes that may be excluded from voting at a time. */
export const EXCLUSIONS_MAX = 10;

/** What the next voting configuration depends on. */
export interface ReconfigurationInput {
  /** Voters in the cluster that answer. */
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
 * The voting configuration that survives most faults: an odd number of live voters, not fewer than three while three
 * members are not excluded. Preferred are the leader, live members, other live voters, absent members, each in the
 * order of their ids. Returns `current` itself where nothing changes, or where the live voters would not be a quorum of
 * the better one.
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
