/** Verdict of a decider. THROTTLE: allowed, but not now. */
export type Verdict = 'YES' | 'THROTTLE' | 'NO';

/** The verdict of one decider on a copy and a node. */
export interface Decision {
  readonly decider: string;
  readonly decision: Verdict;
  /** Explanation; empty unless the allocation explains its decisions. */
  readonly explanation: string;
}

const WORTH: Readonly<Record<Verdict, number>> = { YES: 2, THROTTLE: 1, NO: 0 };

/** Returns the strictest verdict: NO before THROTTLE before YES. */
export function strictest(decisions: Iterable<Decision>): Verdict {
  let result: Verdict = 'YES';
  for (const { decision } of decisions) if (WORTH[decision] < WORTH[result]) result = decision;
  return result;
}
