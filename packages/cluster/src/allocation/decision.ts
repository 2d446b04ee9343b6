export type Verdict = 'YES' | 'THROTTLE' | 'NO';

/** What one decider says about a copy and a node. */
export interface Decision {
  readonly decider: string;
  readonly decision: Verdict;
  /** Empty unless the allocation explains itself. */
  readonly explanation: string;
}

const WORTH: Readonly<Record<Verdict, number>> = { YES: 2, THROTTLE: 1, NO: 0 };

/** The strictest of several: NO over THROTTLE over YES. */
export function strictest(decisions: Iterable<Decision>): Verdict {
  let result: Verdict = 'YES';
  for (const { decision } of decisions) if (WORTH[decision] < WORTH[result]) result = decision;
  return result;
}
