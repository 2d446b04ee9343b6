import type { BatchOperation, Clock, KeyValueStore, TimerHandle } from '@shoal/doors';
import type { ApiError } from '@shoal/errors';
import { type BatchHeader, type Checkpoints, encodeBatchHeader, linkOf, type PeerHead } from '../log/batch-header.js';
import type { BatchIndex, ChainPoint } from '../log/batch-index.js';
import { appendChecksum } from '../level/checksum.js';
import { batchKey } from '../level/keys.js';
import type { OperationRecord } from '../log/operation.js';
import { createRecentRecords } from '../log/recent-records.js';

/** One bulk of the usual size fits into one group. */
const GROUP_BYTES_MAX = 4 * 1024 * 1024;
const GROUP_OPERATIONS_MAX = 4000;
/** Groups smaller than this wait for more. */
const GATHER_BYTES_MAX = 64 * 1024;
/** With `async` durability a group closes at this size, or after the interval. */
const ASYNC_BYTES_MAX = 1024 * 1024;
/**
 * With `async` durability writers wait while this much is not written yet: they may not be faster than the disk for
 * long.
 */
const UNWRITTEN_BYTES_MAX = 8 * 1024 * 1024;

/** Where the chain of batches stands. */
export interface ChainHead {
  readonly batch: number;
  readonly link: Uint8Array;
}

/** What a closing entry puts into its batch. */
export interface ClosingPart {
  readonly operations: readonly BatchOperation[];
  /** The store holds operations up to it that no batch of its own wrote. */
  readonly importedSeqNo?: number;
  readonly header: Partial<Pick<BatchHeader, 'commit' | 'newTerm' | 'truncatedTo'>>;
}

/**
 * Something other than operations on its way into the log, the last of its batch. Built when its batch is: a commit
 * point names its place in the chain.
 */
export interface ClosingEntry {
  build(chainFor: (maxSeqNo: number) => ChainPoint): ClosingPart;
  done(error: unknown): void;
}

export interface GroupCommitContext {
  readonly clock: Clock;
  readonly head: ChainHead;
  /** Takes the batches that are written. */
  readonly batches: BatchIndex;
  /** Highest operation in the log or in segments; -1 for none. */
  readonly maxSeqNo: number;
  /** The open handle. */
  store(): KeyValueStore;
  /**
   * What a batch that ends with `lastSeqNo` notes besides its content; one that closes a group notes all, as a walk may
   * begin with it.
   */
  notes(
    lastSeqNo: number,
    isClosing: boolean,
  ): { readonly checkpoints: Checkpoints | null; readonly peers: readonly PeerHead[] };
  /** Called before anybody learns that the batch is durable. */
  witness(head: ChainHead): void;
  /** After a failed write: reopens the store and tells whether the batch is in it. Throws when the store is lost. */
  recover(error: unknown, headerKey: Uint8Array, header: Uint8Array, before: ChainHead): Promise<boolean>;
  /** Everything up to the number is synced. */
  persisted(seqNo: number): void;
  /** The log cannot go on; returns the error that its writers get. */
  failed(error: unknown): ApiError;
}

export interface Durability {
  readonly mode: 'request' | 'async';
  readonly syncIntervalMs: number;
}

/** Writes of a shard: one synced batch is in flight, all that comes meanwhile joins the next. */
export interface GroupCommit {
  append(record: OperationRecord): void;
  close(entry: ClosingEntry): void;
  /** An appended record that is not in the store yet. */
  pending(seqNo: number): OperationRecord | undefined;
  /**
   * Records from `fromSeqNo` on stay in memory when they are synced, as many of the newest as fit; infinite for none.
   */
  keep(fromSeqNo: number): void;
  /** A synced record that was kept. */
  kept(seqNo: number): OperationRecord | undefined;
  /**
   * Resolves when all that was appended so far is as durable as asked for (`async`: at once, unless much is not written
   * yet).
   */
  acknowledged(): Promise<void>;
  /** Resolves when all that was appended so far is synced. */
  synced(): Promise<void>;
  setDurability(durability: Durability): void;
  /** Everything up to it is synced. */
  persistedSeqNo(): number;
  head(): ChainHead;
  /** The operations above a number are gone. All that was appended has to be synced. */
  truncated(maxSeqNo: number): void;
  /** Resolves when nothing is being written. */
  ended(): Promise<void>;
  stop(): void;
}

interface Waiter {
  readonly seqNo: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const isRecord = (entry: OperationRecord | ClosingEntry): entry is OperationRecord => 'value' in entry;

/** Records of one term up to the limits of a group, or up to the first closing entry, which ends its group. */
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
  /** Appended and not in the store yet, in order of their numbers, which follow without a gap. */
  readonly #waiting: OperationRecord[] = [];
  readonly #kept = createRecentRecords();
  #head: ChainHead;
  #appendedSeqNo: number;
  #persistedSeqNo: number;
  #waiters: Waiter[] = [];
  #pendingBytes = 0;
  /**
   * Several writers are at work: the group before had operations of more than one. Their requests reach the log one
   * after the other within a turn of the event loop, so that a group which begins with the first of them would leave
   * the others for the next sync.
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

  /** Where an open from a commit of everything up to `maxSeqNo` has to start its walk. */
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
    // In the order in which they came, which is that of their numbers.
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

export function createGroupCommit(context: GroupCommitContext): GroupCommit {
  return new ChainedGroups(context);
}
