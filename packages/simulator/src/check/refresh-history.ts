import type { DocumentKey, WriteRecord } from './document-history.js';

/** A document in the answer of a search. */
export interface FoundHit {
  readonly place: string;
  readonly seqNo: number;
}

interface Refresh {
  /** Version of the newest committed state; newer states may name copies that the refresh did not reach. */
  readonly version: number;
  /** Newest acknowledged write of each document when the refresh began. */
  readonly writes: readonly WriteRecord[];
}

/** A search that has begun; it must see the writes of `refresh`. */
export interface BegunSearch {
  readonly indexUuid: string;
  readonly refresh: Refresh | null;
}

const shown = (write: WriteRecord): string =>
  `#${write.opId} (${write.op}, seqno ${write.seqNo}, answered at ${write.answeredAt.toFixed(1)})`;

/**
 * Checks I22a: writes acknowledged before a refresh began are seen by every search that begins after the refresh was
 * answered, on each copy. The searching node must know the copies of that time: a copy that was cut off and replaced
 * may be older.
 */
export class RefreshHistory {
  readonly #violate: (invariant: string, what: string) => void;
  readonly #newest = new Map<string, Refresh>();

  constructor(violate: (invariant: string, what: string) => void) {
    this.#violate = violate;
  }

  /** Records a refresh of all copies of an index. */
  refreshed(indexUuid: string, refresh: Refresh): void {
    this.#newest.set(indexUuid, refresh);
  }

  /** Records the begin of a search. `version`: applied state of the searching node. */
  begin(indexUuid: string, version: number): BegunSearch {
    const refresh = this.#newest.get(indexUuid);
    return { indexUuid, refresh: refresh !== undefined && refresh.version <= version ? refresh : null };
  }

  /**
   * Checks the hits of a search of a whole index. `mayBeGone` tells whether the deletion of a document was requested.
   */
  found(
    { indexUuid, refresh }: BegunSearch,
    hits: readonly FoundHit[],
    mayBeGone: (key: DocumentKey) => boolean,
  ): void {
    if (refresh === null) return;
    const numbers = new Map(hits.map(({ place, seqNo }) => [place, seqNo]));
    for (const write of refresh.writes) {
      const seqNo = numbers.get(write.place);
      if (seqNo === undefined ? mayBeGone(write) : seqNo >= write.seqNo) continue;
      return this.#violate(
        'I22a',
        `a search of ${indexUuid} shows ${write.place} at number ${seqNo ?? 'none'} after a refresh that began ` +
          `after ${shown(write)}`,
      );
    }
  }
}
