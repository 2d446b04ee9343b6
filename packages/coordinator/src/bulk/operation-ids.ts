/** Ids of the writes of one run of a node, by which a shard recognises a repeated write. */
export interface OperationIds {
  readonly coordinator: string;
  /** Reserves `count` consecutive counters and returns the first. */
  take(count: number): number;
}

/** Makes ids with counters from 0 on. */
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
