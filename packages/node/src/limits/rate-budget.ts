import { errors } from '@shoal/errors';

/** Number of callers whose budgets are kept; the one whose last request is oldest is dropped first. */
const CALLERS_MAX = 10_000;

interface Budget {
  tokens: number;
  atMs: number;
}

/** Limits the requests of each caller to a number per second, with as many at once. */
export interface RateBudget {
  /** Throws es_rejected_execution_exception (429) when the caller has spent its budget. */
  spend(caller: string): void;
}

/** Creates a token bucket for each caller name, filled at `perSecond` tokens a second. */
export function createRateBudget(perSecond: number, now: () => number): RateBudget {
  const budgets = new Map<string, Budget>();
  return {
    spend(caller) {
      const atMs = now();
      const known = budgets.get(caller);
      budgets.delete(caller);
      const tokens =
        known === undefined ? perSecond : Math.min(perSecond, known.tokens + ((atMs - known.atMs) / 1000) * perSecond);
      budgets.set(caller, { tokens: tokens < 1 ? tokens : tokens - 1, atMs });
      if (budgets.size > CALLERS_MAX) budgets.delete(budgets.keys().next().value!);
      if (tokens < 1)
        throw errors.rejectedExecution(
          `rejected execution: [${caller}] has more than [${perSecond}] requests in a second, the budget of ` +
            '[shoal.rate_limit.requests_per_second]',
        );
    },
  };
}
