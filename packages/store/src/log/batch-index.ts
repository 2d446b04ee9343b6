import { LINK_BYTES } from './batch-header.js';
import { batchKey } from '../level/keys.js';

/** A batch at which verification of the chain can start. */
export interface ChainPoint {
  /** Number of the batch. */
  readonly start: number;
  /** Link of the batch before it. */
  readonly link: Uint8Array;
  /** Operation number in the key of the batch's header. */
  readonly position: number;
}

/** Entry of a batch in the index. */
export interface IndexedBatch {
  readonly position: number;
  /** Number of the last operation of the batch; -1 if it has none. */
  readonly lastSeqNo: number;
  readonly link: Uint8Array;
}

const CAPACITY_MIN = 64;

/**
 * Positions and links of the batches whose headers are in the store, in the order of the chain. They are in typed
 * arrays, because every write of one document may be a batch.
 */
export class BatchIndex {
  #first: number;
  #linkBefore: Uint8Array;
  #count = 0;
  #positions = new Float64Array(CAPACITY_MIN);
  #lastSeqNos = new Float64Array(CAPACITY_MIN);
  #links = new Uint8Array(CAPACITY_MIN * LINK_BYTES);

  /** An empty index whose first batch will be `first`; `linkBefore` is the link of the batch before it. */
  constructor(first: number, linkBefore: Uint8Array) {
    this.#first = first;
    this.#linkBefore = linkBefore;
  }

  /** Adds the next batch. */
  add({ position, lastSeqNo, link }: IndexedBatch): void {
    if (this.#count === this.#positions.length) this.#grow();
    this.#positions[this.#count] = position;
    this.#lastSeqNos[this.#count] = lastSeqNo;
    this.#links.set(link, this.#count * LINK_BYTES);
    this.#count++;
  }

  #grow(): void {
    const positions = new Float64Array(this.#count * 2);
    const lastSeqNos = new Float64Array(this.#count * 2);
    const links = new Uint8Array(this.#count * 2 * LINK_BYTES);
    positions.set(this.#positions);
    lastSeqNos.set(this.#lastSeqNos);
    links.set(this.#links);
    this.#positions = positions;
    this.#lastSeqNos = lastSeqNos;
    this.#links = links;
  }

  #linkAt(place: number): Uint8Array {
    return place < 0 ? this.#linkBefore : this.#links.slice(place * LINK_BYTES, (place + 1) * LINK_BYTES);
  }

  /** The first batch with an operation above `seqNo`; null if there is none. */
  pointAbove(seqNo: number): ChainPoint | null {
    for (let i = 0; i < this.#count; i++) {
      if (this.#lastSeqNos[i]! > seqNo)
        return { start: this.#first + i, link: this.#linkAt(i - 1), position: this.#positions[i]! };
    }
    return null;
  }

  /** Link of a batch; null if its header was removed or is not written yet. */
  linkOf(batch: number): Uint8Array | null {
    const place = batch - this.#first;
    return place < 0 || place >= this.#count ? null : this.#linkAt(place);
  }

  /** Key of the header of a batch; null if the header was removed or is not written yet. */
  keyOf(batch: number): Uint8Array | null {
    const place = batch - this.#first;
    return place < 0 || place >= this.#count ? null : batchKey(this.#positions[place]!, batch);
  }

  /** Operation number in the key of the oldest header; 0 if there is none. */
  get lowestPosition(): number {
    return this.#count === 0 ? 0 : this.#positions[0]!;
  }

  /** Keys of the headers of all batches below `batch`. */
  keysBelow(batch: number): Uint8Array[] {
    const count = Math.max(0, Math.min(this.#count, batch - this.#first));
    return Array.from({ length: count }, (_, i) => batchKey(this.#positions[i]!, this.#first + i));
  }

  /** Removes the batches below `until` from the index. */
  forget(until: number): void {
    const count = Math.min(this.#count, until - this.#first);
    if (count <= 0) return;
    this.#linkBefore = this.#linkAt(count - 1);
    this.#positions.copyWithin(0, count, this.#count);
    this.#lastSeqNos.copyWithin(0, count, this.#count);
    this.#links.copyWithin(0, count * LINK_BYTES, this.#count * LINK_BYTES);
    this.#count -= count;
    this.#first += count;
    if (this.#count < this.#positions.length / 4) this.#shrink();
  }

  #shrink(): void {
    const capacity = Math.max(CAPACITY_MIN, this.#count * 2);
    this.#positions = this.#positions.slice(0, capacity);
    this.#lastSeqNos = this.#lastSeqNos.slice(0, capacity);
    this.#links = this.#links.slice(0, capacity * LINK_BYTES);
  }

  /** Records that the operations above `maxSeqNo` were removed from the log. */
  truncated(maxSeqNo: number): void {
    for (let i = 0; i < this.#count; i++) if (this.#lastSeqNos[i]! > maxSeqNo) this.#lastSeqNos[i] = maxSeqNo;
  }
}
