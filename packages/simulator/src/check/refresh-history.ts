import type { WriteRecord } from './document-history.js';

/** What a search found of a document. */
export interface FoundHit {
  readonly place: string;
  readonly seqNo: number;
}

interface Refresh {
  /** Committed states that are newer may know of copies that it did not reach. */
  readonly version: number;
  /** The newest answered write of each document when it began. */
  readonly writes: readonly WriteRecord[];
}

/** A search that has begun; `refresh` is what it has to show. */
export interface BegunSearch {
  readonly indexUuid: string;
  readonly refresh: Refresh | null;
}

const shown = (write: WriteRecord): string =>
  `#${write.opId} (${write.op}, seqno ${write.seqNo}, answered at ${write.answeredAt.toFixed(1)})`;

/**
 * I22a: what was answered before a refresh began is seen by every search that begins after the refresh was answered, on
 * whichever copy, where the searching node knows the copies of that time: one that was cut off and replaced before may
 * be old.
 */
export class RefreshHistory {
  readonly #violate: (invariant: string, what: string) => void;
  readonly #newest = new Map<string, Refresh>();

  constructor(violate: (invariant: string, what: string) => void) {
    this.#violate = violate;
  }

  /** All copies of an index were refreshed. */
  refreshed(indexUuid: string, refresh: Refresh): void {
    this.#newest.set(indexUuid, refresh);
  }

  /** `version`: of the state that the searching node has applied. */
  begin(indexUuid: string, version: number): BegunSearch {
    const refresh = this.#newest.get(indexUuid);
    return { indexUuid, refresh: refresh !== undefined && refresh.version <= version ? refresh : null };
  }

  /** A search of a whole index; `mayBeGone` tells whether somebody has asked for a deletion of a document. */
  found({ indexUuid, refresh }: BegunSearch, hits: readonly FoundHit[], mayBeGone: (place: string) => boolean): void {
    if (refresh === null) return;
    const numbers = new Map(hits.map(({ place, seqNo }) => [place, seqNo]));
    for (const write of refresh.writes) {
      const seqNo = numbers.get(write.place);
      if (seqNo === undefined ? mayBeGone(write.place) : seqNo >= write.seqNo) continue;
      return this.#violate(
        'I22a',
        `a search of ${indexUuid} shows ${write.place} at number ${seqNo ?? 'none'} after a refresh that began ` +
          `after ${shown(write)}`,
      );
    }
  }
}
