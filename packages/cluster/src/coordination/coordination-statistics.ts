/** Number and bytes of publications. */
interface Publications {
  count: number;
  bytes: number;
}

/** Statistics of the coordination of a node since its start; times in milliseconds. */
export interface CoordinationStatistics {
  /** States that this node took over from a master, whole or as differences; differences that it could not use. */
  readonly received: { full: number; diffs: number; unusable: number };
  /** As master: encoded bodies. */
  readonly encoded: { readonly full: Publications; readonly diffs: Publications };
  /** As master: batches of tasks, and the time to compute, to publish and apply their states. */
  readonly updates: { unchanged: number; success: number; failure: number; computeMs: number; publishMs: number };
  /** States that took effect on the node, and how long that took. */
  readonly applied: { count: number; ms: number };
}

/** Makes statistics with all counters at 0. */
export function newStatistics(): CoordinationStatistics {
  return {
    received: { full: 0, diffs: 0, unusable: 0 },
    encoded: { full: { count: 0, bytes: 0 }, diffs: { count: 0, bytes: 0 } },
    updates: { unchanged: 0, success: 0, failure: 0, computeMs: 0, publishMs: 0 },
    applied: { count: 0, ms: 0 },
  };
}
