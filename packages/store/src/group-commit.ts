import type { BatchOperation, Clock, KeyValueStore, TimerHandle } from '@shoal/doors';
import { encodeBatchHeader, linkOf } from './batch-header.js';
import { sealed } from './checksum.js';
import { numberedKey } from './keys.js';
import type { OperationRecord } from './operation.js';

/** One bulk of the usual size fits into one group. */
const GROUP_BYTES_MAX = 4 * 1024 * 1024;
const GROUP_OPERATIONS_MAX = 4000;

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
  /** The log cannot go on. */
  failed(error: unknown): void;
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
  head(): ChainHead;
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

export function createGroupCommit(context: GroupCommitContext): GroupCommit {
  const queue: (OperationRecord | CommitEntry)[] = [];
  const waiting = new Map<number, OperationRecord>();
  const recent: RecentBatch[] = [...context.recent];
  let head = context.head;
  let appendedSeqNo = context.maxSeqNo;
  let persistedSeqNo = context.maxSeqNo;
  let waiters: Waiter[] = [];
  let pendingBytes = 0;
  let isDraining = false;
  let failure: unknown;
  let durability: Durability = { mode: 'request', syncIntervalMs: 5000 };
  let timer: TimerHandle | null = null;

  const chainFor = (maxSeqNo: number, batch: number): { start: number; link: Uint8Array } => {
    while (recent.length > 0 && recent[0]!.lastSeqNo <= maxSeqNo) recent.shift();
    const first = recent[0];
    return first ? { start: first.batch, link: first.linkBefore } : { start: batch, link: head.link };
  };

  const assemble = (records: readonly OperationRecord[], commit: CommitEntry | null) => {
    const batch = head.batch + 1;
    const built = commit?.build(batch, chainFor(commit.maxSeqNo, batch));
    const header = encodeBatchHeader({
      previous: head.link,
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
  };

  const write = async (assembled: ReturnType<typeof assemble>): Promise<void> => {
    try {
      await context.store().batch(assembled.operations, { sync: true });
    } catch (error) {
      const isInStore = await context.recover(error, assembled.headerKey, assembled.headerValue, head);
      if (!isInStore) await context.store().batch(assembled.operations, { sync: true });
    }
  };

  const settle = (records: readonly OperationRecord[]): void => {
    for (const record of records) {
      waiting.delete(record.seqNo);
      pendingBytes -= record.value.length;
    }
    if (records.length > 0) persistedSeqNo = records.at(-1)!.seqNo;
    const done = waiters.filter((waiter) => waiter.seqNo <= persistedSeqNo);
    if (done.length > 0) waiters = waiters.filter((waiter) => waiter.seqNo > persistedSeqNo);
    for (const waiter of done) waiter.resolve();
  };

  const writeGroup = async (): Promise<void> => {
    const { records, commit } = takeGroup(queue);
    const linkBefore = head.link;
    try {
      const assembled = assemble(records, commit);
      await write(assembled);
      head = { batch: assembled.batch, link: linkOf(assembled.headerValue) };
      context.witness(head);
      if (records.length > 0) recent.push({ batch: head.batch, lastSeqNo: records.at(-1)!.seqNo, linkBefore });
    } catch (error) {
      commit?.done(error);
      throw error;
    }
    settle(records);
    commit?.done(undefined);
  };

  const fail = (error: unknown): void => {
    failure = error;
    context.failed(error);
    for (const waiter of waiters) waiter.reject(error);
    for (const entry of queue) if (!isRecord(entry)) entry.done(error);
    waiters = [];
    queue.length = 0;
  };

  const drain = async (): Promise<void> => {
    if (isDraining) return;
    isDraining = true;
    try {
      while (queue.length > 0) await writeGroup();
    } catch (error) {
      fail(error);
    } finally {
      isDraining = false;
    }
  };

  const drainSoon = (): void => {
    timer ??= context.clock.after(durability.syncIntervalMs, () => {
      timer = null;
      void drain();
    });
  };

  const synced = (): Promise<void> => {
    if (failure !== undefined) return Promise.reject(failure);
    if (persistedSeqNo >= appendedSeqNo) return Promise.resolve();
    const seqNo = appendedSeqNo;
    return new Promise((resolve, reject) => {
      waiters.push({ seqNo, resolve, reject });
      void drain();
    });
  };

  return {
    append(record) {
      if (failure !== undefined) throw failure;
      queue.push(record);
      waiting.set(record.seqNo, record);
      pendingBytes += record.value.length;
      appendedSeqNo = record.seqNo;
    },
    commit(entry) {
      if (failure !== undefined) return entry.done(failure);
      queue.push(entry);
      void drain();
    },
    pending: (seqNo) => waiting.get(seqNo),
    acknowledged() {
      if (durability.mode === 'request' || failure !== undefined) return synced();
      if (pendingBytes >= GROUP_BYTES_MAX) void drain();
      else drainSoon();
      return Promise.resolve();
    },
    synced,
    setDurability(next) {
      durability = next;
    },
    persistedSeqNo: () => persistedSeqNo,
    head: () => head,
    close() {
      timer?.cancel();
      timer = null;
    },
  };
}
