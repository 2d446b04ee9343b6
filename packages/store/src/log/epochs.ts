/** Operations from `firstSeqNo` on have the primary term `term`, up to the next epoch. A list describes a whole log. */
export interface Epoch {
  readonly term: number;
  readonly firstSeqNo: number;
}

/** The epochs of a log after an operation is appended. */
export function withOperation(epochs: readonly Epoch[], term: number, seqNo: number): readonly Epoch[] {
  return epochs.at(-1)?.term === term ? epochs : [...epochs, { term, firstSeqNo: seqNo }];
}

/** The epochs of a log that is cut after the operation `maxSeqNo`. */
export function upTo(epochs: readonly Epoch[], maxSeqNo: number): readonly Epoch[] {
  return epochs.filter((epoch) => epoch.firstSeqNo <= maxSeqNo);
}

function epochAt(epochs: readonly Epoch[], seqNo: number): Epoch | undefined {
  return epochs.findLast((epoch) => epoch.firstSeqNo <= seqNo);
}

/** Primary term of an operation; 0 if it precedes the first epoch. */
export function termAt(epochs: readonly Epoch[], seqNo: number): number {
  return epochAt(epochs, seqNo)?.term ?? 0;
}

/** Epochs and last operation of a log. */
export interface LogExtent {
  readonly epochs: readonly Epoch[];
  readonly maxSeqNo: number;
}

/**
 * Number of the last operation that two logs have in common, -1 if there is none. Operations with the same number and
 * term are equal, and so are all operations before them (docs/internals/cluster.md, I16). As terms never fall along a
 * log, whole epochs are skipped.
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
