import type { InFlightBytes } from '../../in-flight-bytes.js';

/** The answers of shards that one search holds until it is put together, charged to the node's budget. */
export interface GatheredAnswers {
  /** Throws circuit_breaking_exception (429) when all searches together would hold too much. */
  add(bytes: number): void;
  /** Gives everything back; what comes later is not held. */
  release(): void;
}

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
