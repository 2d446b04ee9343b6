/** Names the writes of one start of a node, so that a shard knows a repeated one again. */
export interface OperationIds {
  readonly coordinator: string;
  /** The first of `count` counters in a row that nobody else gets. */
  take(count: number): number;
}

/** Counters from 0 on. */
export function createOperationIds(coordinator: string): OperationIds {
  let next = 0;
  return {
    coordinator,
    take(count) {
      const first = next;
      next += count;
      return first;
    },
  };
}
