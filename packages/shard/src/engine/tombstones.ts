/** A remembered delete: it stops a late write with an older version from bringing the document back. */
export interface Tombstone {
  readonly seqNo: number;
  readonly primaryTerm: number;
  readonly version: number;
  readonly atMs: number;
}

/** Recent deletes by id, in order of time; they expire after `index.gc_deletes`. */
export class Tombstones {
  readonly #byId = new Map<string, Tombstone>();

  get size(): number {
    return this.#byId.size;
  }

  get(id: string): Tombstone | undefined {
    return this.#byId.size === 0 ? undefined : this.#byId.get(id);
  }

  put(id: string, tombstone: Tombstone): void {
    this.#byId.delete(id);
    this.#byId.set(id, tombstone);
  }

  remove(id: string): void {
    if (this.#byId.size > 0) this.#byId.delete(id);
  }

  /**
   * Drops deletes from before `beforeMs` up to operation `maxSeqNo`; calls `forgotten` with the sequence number of
   * each.
   */
  expire(beforeMs: number, maxSeqNo: number, forgotten: (seqNo: number) => void): void {
    for (const [id, tombstone] of this.#byId) {
      if (tombstone.atMs >= beforeMs || tombstone.seqNo > maxSeqNo) return;
      this.#byId.delete(id);
      forgotten(tombstone.seqNo);
    }
  }

  /** Returns the sequence numbers of the remembered deletes up to `maxSeqNo`, in order. */
  seqNos(maxSeqNo: number): number[] {
    const seqNos: number[] = [];
    for (const { seqNo } of this.#byId.values()) if (seqNo <= maxSeqNo) seqNos.push(seqNo);
    return seqNos;
  }

  clear(): void {
    this.#byId.clear();
  }
}
