import type { WriteRecord } from './document-history.js';

/** A snapshot of an index that a client was told is complete. */
export interface TakenSnapshot {
  readonly name: string;
  readonly indexUuid: string;
  /** Newest write of each document that was acknowledged before the snapshot was requested. */
  readonly writes: readonly WriteRecord[];
}

/** Knows which writes each snapshot must contain. */
export class SnapshotHistory {
  readonly taken: TakenSnapshot[] = [];
  /** Names of snapshots that clients have asked to delete. */
  readonly doomed = new Set<string>();
  #next = 0;

  /** Returns an unused snapshot name. */
  newName(): string {
    return `s${this.#next++}`;
  }
}
