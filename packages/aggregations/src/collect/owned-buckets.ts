/** Bucket numbers of each parent bucket, ascending. Built once, after collecting. */
export interface OwnedBuckets {
  of(owner: number): Int32Array;
}

/** Groups bucket numbers 0 … size - 1 by `owners[id]`. */
export function groupByOwner(owners: Int32Array, size: number): OwnedBuckets {
  let ownerCount = 0;
  for (let id = 0; id < size; id++) if (owners[id]! >= ownerCount) ownerCount = owners[id]! + 1;
  const starts = new Int32Array(ownerCount + 1);
  for (let id = 0; id < size; id++) starts[owners[id]! + 1]!++;
  for (let owner = 0; owner < ownerCount; owner++) starts[owner + 1]! += starts[owner]!;
  const ids = new Int32Array(size);
  const next = starts.slice();
  for (let id = 0; id < size; id++) ids[next[owners[id]!]!++] = id;
  return {
    of: (owner) => (owner < ownerCount ? ids.subarray(starts[owner]!, starts[owner + 1]!) : ids.subarray(0, 0)),
  };
}
