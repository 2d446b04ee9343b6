import type { BatchOperation, Clock, KeyValueStore, TimerHandle } from '@shoal/doors';
import type { ApiError } from '@shoal/errors';
import { type BatchHeader, type Checkpoints, encodeBatchHeader, linkOf, type PeerHead } from '../log/batch-header.js';
import type { BatchIndex, ChainPoint } from '../log/batch-index.js';
import { appendChecksum } from '../level/checksum.js';
import { batchKey } from '../level/keys.js';
import type { OperationRecord } from '../log/operation.js';
import { createRecentRecords } from '../log/recent-records.js';

/** Limit of the bytes of one group; a bulk of the usual size fits into it. */
const GROUP_BYTES_MAX = 4 * 1024 * 1024;
/** Limit of the operations of one group. */
const GROUP_OPERATIONS_MAX = 4000;
/** If several writers are active, a group smaller than this waits one turn of the event loop for more operations. */
const GATHER_BYTES_MAX = 64 * 1024;
/** With `async` durability a group is written at this size, or after the interval. */
const ASYNC_BYTES_MAX = 1024 * 1024;
/**
 * With `async` durability writers wait while more bytes than this are not written yet, so that they cannot stay faster
 * than the disk.
 */
const UNWRITTEN_BYTES_MAX = 8 * 1024 * 1024;

/** Last batch of the chain and its link. */
export interface ChainHead {
  readonly batch: number;
  readonly link: Uint8Array;
}

/** Content of a closing entry. */
export interface ClosingPart {
  readonly operations: readonly BatchOperation[];
  /** The store has operations up to this number that were imported, not written by a batch of its own. */
  readonly importedSeqNo?: number;
  readonly header: Partial<Pick<BatchHeader, 'commit' | 'newTerm' | 'truncatedTo'>>;
}

/**
 * A queued entry of the log that is no operation: a commit point, a new term, a truncation. It ends its batch. Its
 * content is built together with the batch, because a commit point contains its position in the chain.
 */
export interface ClosingEntry {
  build(chainFor: (maxSeqNo: number) => ChainPoint): ClosingPart;
  done(error: unknown): void;
}

/** State of the log at open, and the services that a group commit uses. */
export interface GroupCommitContext {
  readonly clock: Clock;
  readonly head: ChainHead;
  /** Index to which written batches are added. */
  readonly batches: BatchIndex;
  /** Number of the last operation in the log or in segments; -1 if there is none. */
  readonly maxSeqNo: number;
  /** The open handle of the store; another one after a reopening. */
  store(): KeyValueStore;
  /**
   * Checkpoints and peer heads to store with the batch that ends with `lastSeqNo`. A batch with a closing entry
   * (`isClosing`) carries all of them, because verification may start there; other batches carry only what changed.
   */
  notes(
    lastSeqNo: number,
    isClosing: boolean,
  ): { readonly checkpoints: Checkpoints | null; readonly peers: readonly PeerHead[] };
  /** Writes the witness; called after a batch is synced and before its operations are acknowledged. */
  witness(head: ChainHead): void;
  /** Reopens the store after a failed write; resolves to whether the batch is in it. Throws if the store has failed. */
  recover(error: unknown, headerKey: Uint8Array, header: Uint8Array, before: ChainHead): Promise<boolean>;
  /** Called when all operations up to the number are synced. */
  persisted(seqNo: number): void;
  /** Called when the log fails; returns the error with which its writers fail. */
  failed(error: unknown): ApiError;
}

/** When operations are synced: before they are acknowledged (`request`), or at least every interval (`async`). */
export interface Durability {
  readonly mode: 'request' | 'async';
  readonly syncIntervalMs: number;
}

/**
 * Writes the log of a shard. One synced batch is written at a time; operations that are appended meanwhile form the
 * next batch.
 */
export interface GroupCommit {
  append(record: OperationRecord): void;
  close(entry: ClosingEntry): void;
  /** Record of an operation that was appended but is not in the store yet; undefined otherwise. */
  pending(seqNo: number): OperationRecord | undefined;
  /**
   * Keeps records from `fromSeqNo` on in memory when they are synced, as many of the newest as fit; Infinity: none.
   */
  keep(fromSeqNo: number): void;
  /** A synced record that is kept in memory; undefined otherwise. */
  kept(seqNo: number): OperationRecord | undefined;
  /**
   * Resolves when all appended operations are as durable as `setDurability` demands. With `async` that is at once,
   * unless too many bytes are not written yet.
   */
  acknowledged(): Promise<void>;
  /** Resolves when all appended operations are synced. */
  synced(): Promise<void>;
  setDurability(durability: Durability): void;
  /** Number of the last synced operation; -1 if there is none. */
  persistedSeqNo(): number;
  head(): ChainHead;
  /** Forgets the operations above `maxSeqNo`, which were removed. All appended operations must be synced. */
  truncated(maxSeqNo: number): void;
  /** Resolves when no batch is being written. */
  ended(): Promise<void>;
  /** Cancels the timer of `async` durability. */
  stop(): void;
}

interface Waiter {
  readonly seqNo: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const isRecord = (entry: OperationRecord | ClosingEntry): entry is OperationRecord => 'value' in entry;

/**
 * Takes records of one term from the queue, up to the limits of a group or to the first closing entry, which ends it.
 */
function takeGroup(queue: (OperationRecord | ClosingEntry)[]): {
  records: OperationRecord[];
  closing: ClosingEntry | null;
} {
  const records: OperationRecord[] = [];
  let bytes = 0;
  let entry = queue[0];
  while (entry !== undefined && isRecord(entry) && records.length < GROUP_OPERATIONS_MAX && bytes < GROUP_BYTES_MAX) {
    if (records.length > 0 && records[0]!.term !== entry.term) break;
    records.push(entry);
    bytes += entry.byteLength;
    entry = queue[records.length];
  }
  queue.splice(0, records.length);
  if (entry === undefined || isRecord(entry)) return { records, closing: null };
  queue.shift();
  return { records, closing: entry };
}

function checksumsOf(records: readonly OperationRecord[]): Uint32Array {
  const checksums = new Uint32Array(records.length);
  for (let i = 0; i < checksums.length; i++) checksums[i] = records[i]!.checksum;
  return checksums;
}

interface AssembledBatch {
  readonly batch: number;
  readonly position: number;
  readonly headerKey: Uint8Array;
  readonly headerValue: Uint8Array;
  readonly operations: readonly BatchOperation[];
}

class ChainedGroups implements GroupCommit {
  readonly #context: GroupCommitContext;
  readonly #queue: (OperationRecord | ClosingEntry)[] = [];
  /** Records that are appended but not in the store yet; their numbers follow without a gap. */
  readonly #waiting: OperationRecord[] = [];
  readonly #kept = createRecentRecords();
  #head: ChainHead;
  #appendedSeqNo: number;
  #persistedSeqNo: number;
  #waiters: Waiter[] = [];
  #pendingBytes = 0;
  /**
   * Whether several writers are active: the last group had more than one operation. Their requests reach the log one
   * after the other within a turn of the event loop. A group that is taken when the first has arrived would leave the
   * other requests to the next sync.
   */
  #isCrowded = false;
  #draining: Promise<void> | null = null;
  #failure: unknown;
  #durability: Durability = { mode: 'request', syncIntervalMs: 5000 };
  #timer: TimerHandle | null = null;

  constructor(context: GroupCommitContext) {
    this.#context = context;
    this.#head = context.head;
    this.#appendedSeqNo = context.maxSeqNo;
    this.#persistedSeqNo = context.maxSeqNo;
  }

  append(record: OperationRecord): void {
    if (this.#failure !== undefined) throw this.#failure;
    this.#queue.push(record);
    this.#waiting.push(record);
    this.#pendingBytes += record.byteLength;
    this.#appendedSeqNo = record.seqNo;
  }

  close(entry: ClosingEntry): void {
    if (this.#failure !== undefined) return entry.done(this.#failure);
    this.#queue.push(entry);
    this.#drain();
  }

  pending(seqNo: number): OperationRecord | undefined {
    return this.#waiting.length === 0 ? undefined : this.#waiting[seqNo - this.#waiting[0]!.seqNo];
  }

  keep(fromSeqNo: number): void {
    this.#kept.keepFrom(fromSeqNo);
  }

  kept(seqNo: number): OperationRecord | undefined {
    return this.#kept.get(seqNo);
  }

  acknowledged(): Promise<void> {
    if (this.#durability.mode === 'request' || this.#failure !== undefined) return this.synced();
    if (this.#pendingBytes >= UNWRITTEN_BYTES_MAX) return this.synced();
    if (this.#pendingBytes >= ASYNC_BYTES_MAX) this.#drain();
    else this.#drainLater();
    return Promise.resolve();
  }

  synced(): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (this.#persistedSeqNo >= this.#appendedSeqNo) return Promise.resolve();
    const seqNo = this.#appendedSeqNo;
    return new Promise((resolve, reject) => {
      this.#waiters.push({ seqNo, resolve, reject });
      this.#drain();
    });
  }

  setDurability(durability: Durability): void {
    this.#durability = durability;
  }

  persistedSeqNo(): number {
    return this.#persistedSeqNo;
  }

  head(): ChainHead {
    return this.#head;
  }

  truncated(maxSeqNo: number): void {
    this.#appendedSeqNo = maxSeqNo;
    this.#persistedSeqNo = maxSeqNo;
    this.#kept.clear();
    this.#context.batches.truncated(maxSeqNo);
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = null;
  }

  #drainLater(): void {
    this.#timer ??= this.#context.clock.after(this.#durability.syncIntervalMs, () => {
      this.#timer = null;
      this.#drain();
    });
  }

  #drain(): void {
    if (this.#draining === null && this.#queue.length > 0) this.#draining = this.#writeAll();
  }

  async #writeAll(): Promise<void> {
    try {
      while (this.#queue.length > 0) {
        if (this.#isCrowded && this.#pendingBytes < GATHER_BYTES_MAX) await this.#context.clock.yield();
        await this.#writeGroup();
      }
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#draining = null;
    }
  }

  async ended(): Promise<void> {
    await this.#draining;
  }

  async #writeGroup(): Promise<void> {
    const { records, closing } = takeGroup(this.#queue);
    this.#isCrowded = records.length > 1;
    try {
      const assembled = this.#assemble(records, closing);
      await this.#write(assembled);
      const link = linkOf(assembled.headerValue);
      this.#head = { batch: assembled.batch, link };
      this.#context.witness(this.#head);
      this.#context.batches.add({ position: assembled.position, lastSeqNo: records.at(-1)?.seqNo ?? -1, link });
    } catch (error) {
      closing?.done(error);
      throw error;
    }
    this.#settle(records);
    closing?.done(undefined);
  }

  /** Point of the chain from which verification starts after a commit point with the operations up to `maxSeqNo`. */
  #chainFor(maxSeqNo: number, batch: number, firstSeqNo: number | undefined): ChainPoint {
    const position = firstSeqNo ?? Math.max(this.#persistedSeqNo, maxSeqNo) + 1;
    return this.#context.batches.pointAbove(maxSeqNo) ?? { start: batch, link: this.#head.link, position };
  }

  #assemble(records: readonly OperationRecord[], closing: ClosingEntry | null): AssembledBatch {
    const batch = this.#head.batch + 1;
    const firstSeqNo = records[0]?.seqNo;
    const built = closing?.build((maxSeqNo) => this.#chainFor(maxSeqNo, batch, firstSeqNo));
    const header = encodeBatchHeader({
      previous: this.#head.link,
      firstSeqNo: firstSeqNo ?? 0,
      operationTerm: records[0]?.term ?? 0,
      checksums: checksumsOf(records),
      commit: null,
      newTerm: null,
      truncatedTo: null,
      ...built?.header,
      ...this.#context.notes(records.at(-1)?.seqNo ?? this.#persistedSeqNo, closing !== null),
    });
    const position = firstSeqNo ?? Math.max(this.#persistedSeqNo, built?.importedSeqNo ?? -1) + 1;
    const headerKey = batchKey(position, batch);
    const headerValue = appendChecksum(headerKey, header);
    const operations: BatchOperation[] = [...records];
    if (built) operations.push(...built.operations);
    operations.push({ type: 'put', key: headerKey, value: headerValue });
    return { batch, position, headerKey, headerValue, operations };
  }

  async #write({ operations, headerKey, headerValue }: AssembledBatch): Promise<void> {
    try {
      await this.#context.store().batch(operations, { sync: true });
    } catch (error) {
      const isInStore = await this.#context.recover(error, headerKey, headerValue, this.#head);
      if (!isInStore) await this.#context.store().batch(operations, { sync: true });
    }
  }

  #settle(records: readonly OperationRecord[]): void {
    for (let i = 0; i < records.length; i++) this.#pendingBytes -= records[i]!.byteLength;
    this.#waiting.splice(0, records.length);
    this.#kept.add(records);
    if (records.length > 0) {
      this.#persistedSeqNo = records.at(-1)!.seqNo;
      this.#context.persisted(this.#persistedSeqNo);
    }
    // Waiters are in the order of their numbers.
    let done = 0;
    while (done < this.#waiters.length && this.#waiters[done]!.seqNo <= this.#persistedSeqNo) done++;
    for (const waiter of this.#waiters.splice(0, done)) waiter.resolve();
  }

  #fail(error: unknown): void {
    const failure = this.#context.failed(error);
    this.#failure = failure;
    for (const waiter of this.#waiters) waiter.reject(failure);
    for (const entry of this.#queue) if (!isRecord(entry)) entry.done(failure);
    this.#waiters = [];
    this.#queue.length = 0;
  }
}

/** A group commit for an open store. */
export function createGroupCommit(context: GroupCommitContext): GroupCommit {
  return new ChainedGroups(context);
}
