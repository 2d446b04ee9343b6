import type { BatchOperation, Clock, KeyValueStore, TimerHandle } from '@shoal/doors';
import type { ApiError } from '@shoal/errors';
import { encodeBatchHeader, linkOf } from './batch-header.js';
import { sealed } from './checksum.js';
import { numberedKey } from './keys.js';
import type { OperationRecord } from './operation.js';

/** One bulk of the usual size fits into one group. */
const GROUP_BYTES_MAX = 4 * 1024 * 1024;
const GROUP_OPERATIONS_MAX = 4000;
/** With `async` durability a group closes at this size, or after the interval. */
const ASYNC_BYTES_MAX = 1024 * 1024;

/** Where the chain of batches stands. */
export interface ChainHead {
  readonly batch: number;
  readonly link: Uint8Array;
}

/** A batch that the newest commit does not cover. */
export interface RecentBatch {
  readonly batch: number;
  readonly lastSeqNo: number;
  readonly linkBefore: Uint8Array;
}

/** A commit point on its way into the log: built when its batch is, because it names its place in the chain. */
export interface CommitEntry {
  build(batch: number, chain: { readonly start: number; readonly link: Uint8Array }): {
    readonly operations: readonly BatchOperation[];
    readonly generation: number;
    readonly checksum: number;
  };
  /** Everything up to it is in segments. */
  readonly maxSeqNo: number;
  done(error: unknown): void;
}

export interface GroupCommitContext {
  readonly clock: Clock;
  readonly head: ChainHead;
  readonly recent: readonly RecentBatch[];
  /** Highest operation in the log or in segments; -1 for none. */
  readonly maxSeqNo: number;
  /** The open handle. */
  store(): KeyValueStore;
  /** Called before anybody learns that the batch is durable. */
  witness(head: ChainHead): void;
  /** After a failed write: reopens the store and tells whether the batch is in it. Throws when the store is lost. */
  recover(error: unknown, headerKey: Uint8Array, header: Uint8Array, before: ChainHead): Promise<boolean>;
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
  commit(entry: CommitEntry): void;
  /** An appended record that is not in the store yet. */
  pending(seqNo: number): OperationRecord | undefined;
  /** Resolves when all that was appended so far is as durable as asked for (`async`: at once). */
  acknowledged(): Promise<void>;
  /** Resolves when all that was appended so far is synced. */
  synced(): Promise<void>;
  setDurability(durability: Durability): void;
  /** Everything up to it is synced. */
  persistedSeqNo(): number;
  /** Resolves when nothing is being written. */
  ended(): Promise<void>;
  close(): void;
}

interface Waiter {
  readonly seqNo: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const isRecord = (entry: OperationRecord | CommitEntry): entry is OperationRecord => 'value' in entry;

/** Records up to the limits of a group, or up to the first commit entry, which closes its group. */
function takeGroup(queue: (OperationRecord | CommitEntry)[]): { records: OperationRecord[]; commit: CommitEntry | null } {
  const records: OperationRecord[] = [];
  let bytes = 0;
  while (records.length < queue.length && records.length < GROUP_OPERATIONS_MAX && bytes < GROUP_BYTES_MAX) {
    const entry = queue[records.length]!;
    if (!isRecord(entry)) break;
    records.push(entry);
    bytes += entry.value.length;
  }
  queue.splice(0, records.length);
  const next = queue[0];
  if (next === undefined || isRecord(next)) return { records, commit: null };
  queue.shift();
  return { records, commit: next };
}

interface Assembled {
  readonly batch: number;
  readonly headerKey: Uint8Array;
  readonly headerValue: Uint8Array;
  readonly operations: readonly BatchOperation[];
}

class ChainedGroups implements GroupCommit {
  readonly #context: GroupCommitContext;
  readonly #queue: (OperationRecord | CommitEntry)[] = [];
  readonly #waiting = new Map<number, OperationRecord>();
  readonly #recent: RecentBatch[];
  #head: ChainHead;
  #appendedSeqNo: number;
  #persistedSeqNo: number;
  #waiters: Waiter[] = [];
  #pendingBytes = 0;
  #draining: Promise<void> | null = null;
  #failure: unknown;
  #durability: Durability = { mode: 'request', syncIntervalMs: 5000 };
  #timer: TimerHandle | null = null;

  constructor(context: GroupCommitContext) {
    this.#context = context;
    this.#recent = [...context.recent];
    this.#head = context.head;
    this.#appendedSeqNo = context.maxSeqNo;
    this.#persistedSeqNo = context.maxSeqNo;
  }

  append(record: OperationRecord): void {
    if (this.#failure !== undefined) throw this.#failure;
    this.#queue.push(record);
    this.#waiting.set(record.seqNo, record);
    this.#pendingBytes += record.value.length;
    this.#appendedSeqNo = record.seqNo;
  }

  commit(entry: CommitEntry): void {
    if (this.#failure !== undefined) return entry.done(this.#failure);
    this.#queue.push(entry);
    this.#drain();
  }

  pending(seqNo: number): OperationRecord | undefined {
    return this.#waiting.get(seqNo);
  }

  acknowledged(): Promise<void> {
    if (this.#durability.mode === 'request' || this.#failure !== undefined) return this.synced();
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

  close(): void {
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
      while (this.#queue.length > 0) await this.#writeGroup();
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
    const { records, commit } = takeGroup(this.#queue);
    const linkBefore = this.#head.link;
    try {
      const assembled = this.#assemble(records, commit);
      await this.#write(assembled);
      this.#head = { batch: assembled.batch, link: linkOf(assembled.headerValue) };
      this.#context.witness(this.#head);
      if (records.length > 0) this.#recent.push({ batch: this.#head.batch, lastSeqNo: records.at(-1)!.seqNo, linkBefore });
    } catch (error) {
      commit?.done(error);
      throw error;
    }
    this.#settle(records);
    commit?.done(undefined);
  }

  /** Where an open from this commit on has to start its walk. */
  #chainFor(maxSeqNo: number, batch: number): { start: number; link: Uint8Array } {
    while (this.#recent.length > 0 && this.#recent[0]!.lastSeqNo <= maxSeqNo) this.#recent.shift();
    const first = this.#recent[0];
    return first ? { start: first.batch, link: first.linkBefore } : { start: batch, link: this.#head.link };
  }

  #assemble(records: readonly OperationRecord[], commit: CommitEntry | null): Assembled {
    const batch = this.#head.batch + 1;
    const built = commit?.build(batch, this.#chainFor(commit.maxSeqNo, batch));
    const header = encodeBatchHeader({
      previous: this.#head.link,
      firstSeqNo: records[0]?.seqNo ?? 0,
      checksums: Uint32Array.from(records, (record) => record.checksum),
      commit: built ? { generation: built.generation, checksum: built.checksum } : null,
    });
    const headerKey = numberedKey('batch', batch);
    const headerValue = sealed(headerKey, header);
    const operations: BatchOperation[] = records.map((record) => ({ type: 'put', key: record.key, value: record.value }));
    if (built) operations.push(...built.operations);
    operations.push({ type: 'put', key: headerKey, value: headerValue });
    return { batch, headerKey, headerValue, operations };
  }

  async #write({ operations, headerKey, headerValue }: Assembled): Promise<void> {
    try {
      await this.#context.store().batch(operations, { sync: true });
    } catch (error) {
      const isInStore = await this.#context.recover(error, headerKey, headerValue, this.#head);
      if (!isInStore) await this.#context.store().batch(operations, { sync: true });
    }
  }

  #settle(records: readonly OperationRecord[]): void {
    for (const record of records) {
      this.#waiting.delete(record.seqNo);
      this.#pendingBytes -= record.value.length;
    }
    if (records.length > 0) this.#persistedSeqNo = records.at(-1)!.seqNo;
    const done = this.#waiters.filter((waiter) => waiter.seqNo <= this.#persistedSeqNo);
    if (done.length > 0) this.#waiters = this.#waiters.filter((waiter) => waiter.seqNo > this.#persistedSeqNo);
    for (const waiter of done) waiter.resolve();
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
