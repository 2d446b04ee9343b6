import type { WriteRecord } from './document-history.js';

/** A snapshot of an index that a client was told is complete. */
export interface TakenSnapshot {
  readonly name: string;
  readonly indexUuid: string;
  /** The newest write of each document that was answered before the snapshot was asked for. */
  readonly writes: readonly WriteRecord[];
}

/** What snapshots have to hold. */
export class SnapshotHistory {
  readonly taken: TakenSnapshot[] = [];
  #next = 0;

  /** A name that no other snapshot has. */
  newName(): string {
    return `s${this.#next++}`;
  }
}
