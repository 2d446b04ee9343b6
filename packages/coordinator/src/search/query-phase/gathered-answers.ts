import type { InFlightBytes } from '../../in-flight-bytes.js';

/**
 * Bytes of the shard answers that one search holds until its answer is made. They are charged to the budget of the
 * node.
 */
export interface GatheredAnswers {
  /** Charges bytes. Throws circuit_breaking_exception (429) if all searches together hold too many. */
  add(bytes: number): void;
  /** Releases all bytes; later calls of `add` charge nothing. */
  release(): void;
}

/** Makes the account of one search. */
export function gatherAnswers(inFlight: InFlightBytes): GatheredAnswers {
  const releases: (() => void)[] = [];
  let isOver = false;
  return {
    add(bytes) {
      if (!isOver) releases.push(inFlight.charge(bytes, '<reduce_aggs>'));
    },
    release() {
      isOver = true;
      for (const release of releases.splice(0)) release();
    },
  };
}
