/** From `firstSeqNo` on operations carry `term`, until the next epoch. The list describes a log's whole history. */
export interface Epoch {
  readonly term: number;
  readonly firstSeqNo: number;
}

/** The epochs with one more operation at their end. */
export function withOperation(epochs: readonly Epoch[], term: number, seqNo: number): readonly Epoch[] {
  return epochs.at(-1)?.term === term ? epochs : [...epochs, { term, firstSeqNo: seqNo }];
}

/** The epochs of the log's beginning up to an operation. */
export function upTo(epochs: readonly Epoch[], maxSeqNo: number): readonly Epoch[] {
  return epochs.filter((epoch) => epoch.firstSeqNo <= maxSeqNo);
}

function epochAt(epochs: readonly Epoch[], seqNo: number): Epoch | undefined {
  return epochs.findLast((epoch) => epoch.firstSeqNo <= seqNo);
}

/** Term of an operation; 0 for numbers before the first one. */
export function termAt(epochs: readonly Epoch[], seqNo: number): number {
  return epochAt(epochs, seqNo)?.term ?? 0;
}

/** One log by its epochs and its last operation. */
export interface LogExtent {
  readonly epochs: readonly Epoch[];
  readonly maxSeqNo: number;
}

/**
 * The last operation that two logs have in common, -1 for none: operations of the same number and term are the same,
 * and so is everything before them (docs/internals/cluster.md, I16). Terms never fall along a log, so whole epochs are
 * skipped.
 */
export function matchPoint(a: LogExtent, b: LogExtent): number {
  let seqNo = Math.min(a.maxSeqNo, b.maxSeqNo);
  while (seqNo >= 0) {
    const ours = epochAt(a.epochs, seqNo);
    const theirs = epochAt(b.epochs, seqNo);
    if (!ours || !theirs) return -1;
    if (ours.term === theirs.term) return seqNo;
    seqNo = (ours.term > theirs.term ? ours : theirs).firstSeqNo - 1;
  }
  return -1;
}
