import { type Channel, type Clock, type Log, type MessagePair, sendMessage } from '@shoal/doors';
import { type ApiError, errors, isApiError, toApiError } from '@shoal/errors';
import { replication } from '@shoal/protocol';
import type { ShardLog } from '@shoal/shard';
import { termAt } from '@shoal/store';
import { fromWireHead, OUTCOME, toWireEpochs, toWireHead, toWireSeen } from './wire.js';

const BATCH_BYTES_MAX = 1024 * 1024;
const BATCH_OPERATIONS_MAX = 2000;
/** Milliseconds without progress after which a copy is failed. */
const RETRY_TIMEOUT_MS = 60_000;
const FIRST_BACKOFF_MS = 50;
const BACKOFF_MAX_MS = 2_000;
/** Milliseconds after which a request without an answer is sent again. */
const REQUEST_TIMEOUT_MS = 30_000;
/** Milliseconds after which an idle copy is sent a new checkpoint. */
const IDLE_SYNC_MS = 100;

/** Errors about the copy or the primary, not about the link between them: they are not retried. */
const FINAL = new Set([
  'wrong_shard_copy_exception',
  'illegal_state_exception',
  'corrupt_index_exception',
  'illegal_argument_exception',
  'i_o_exception',
]);

/** Copy, log and callbacks of a stream. */
export interface CopyStreamOptions {
  readonly log: ShardLog;
  readonly clock: Clock;
  readonly events: Log;
  readonly channel: () => Channel;
  readonly ref: replication.CopyRef;
  readonly nodeId: string;
  /** Number of the copy's recovery attempt; 0 for a copy that was in sync before. */
  readonly attempt: number;
  /** Number of the newest question whether this copy is still primary. */
  readonly asked: () => number;
  /** Whether operations are acknowledged when synced, not when received. */
  readonly mustSync: () => boolean;
  /** Version of the mapping with which this node parses operations. */
  readonly mappingVersion: () => number;
  /** Called when positions have changed. */
  readonly progressed: () => void;
  /** Called when the copy has failed and gets no further operations. */
  readonly failed: (error: ApiError) => void;
  /** Called when the copy has seen a higher term. */
  readonly superseded: (error: ApiError) => void;
}

/** Streams the primary's log to one copy from a cursor on. Catching up and following are one stream. */
export class CopyStream {
  readonly nodeId: string;
  readonly attempt: number;
  /** The copy's local checkpoint: its log is synced and equal to the primary's up to here; -1 until known. */
  localCheckpoint = -1;
  /** Highest sequence number that the copy has received. */
  received = -1;
  /** Newest question (`asked`) that was put before a request which the copy has answered. */
  confirmed = 0;
  /** Whether the global checkpoint waits for the copy: it is in sync, or is about to be. */
  isCounted = false;
  readonly #options: CopyStreamOptions;
  #mustResync = true;
  #cursor = 0;
  #toldCheckpoint = -1;
  #wake: (() => void) | null = null;
  #firstFailureMs: number | null = null;
  #backoffMs = FIRST_BACKOFF_MS;
  #isStopped = false;

  constructor(options: CopyStreamOptions) {
    this.#options = options;
    this.nodeId = options.nodeId;
    this.attempt = options.attempt;
  }

  get allocationId(): string {
    return this.#options.ref.allocationId;
  }

  /** Whether the copy's log is known to be a prefix of the primary's. */
  get hasResynced(): boolean {
    return !this.#mustResync;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  start(): void {
    void this.#run();
  }

  /** Wakes the stream, as there may be something to send. */
  kick(): void {
    const wake = this.#wake;
    this.#wake = null;
    wake?.();
  }

  stop(): void {
    this.#isStopped = true;
    this.kick();
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      try {
        await this.#step();
        this.#firstFailureMs = null;
        this.#backoffMs = FIRST_BACKOFF_MS;
      } catch (error) {
        if (this.#isStopped) return;
        await this.#onError(error);
      }
    }
  }

  async #step(): Promise<void> {
    if (this.#mustResync) return this.#resync();
    if (this.#cursor <= this.#options.log.maxSeqNo || this.confirmed < this.#options.asked()) return this.#sendBatch();
    if (this.#toldCheckpoint >= this.#checkpoint) return this.#waitForWork(null);
    await this.#waitForWork(IDLE_SYNC_MS);
    if (!this.#isStopped && this.#cursor > this.#options.log.maxSeqNo) await this.#sendBatch();
  }

  /**
   * Global checkpoint to send: at most what is synced here, as a batch that is still being written may already be below
   * the global checkpoint.
   */
  get #checkpoint(): number {
    const { store } = this.#options.log;
    return Math.min(store.globalCheckpoint, store.persistedSeqNo());
  }

  #waitForWork(timeoutMs: number | null): Promise<void> {
    return new Promise((resolve) => {
      const timer = timeoutMs === null ? null : this.#options.clock.after(timeoutMs, () => this.kick());
      this.#wake = () => {
        timer?.cancel();
        resolve();
      };
    });
  }

  async #request<Request extends object, Answer extends object>(
    method: MessagePair<Request, Answer>,
    request: Request,
  ): Promise<Answer> {
    const { clock, channel } = this.#options;
    const abort = new AbortController();
    let timer: { cancel(): void } | null = null;
    const late = new Promise<never>((_, reject) => {
      timer = clock.after(REQUEST_TIMEOUT_MS, () => {
        reject(errors.timeout(`[${method.action}] was not answered`));
        abort.abort();
      });
    });
    try {
      return await Promise.race([sendMessage(channel(), method, request, { signal: abort.signal }), late]);
    } finally {
      timer!.cancel();
    }
  }

  async #resync(): Promise<void> {
    const { log, ref } = this.#options;
    const { store } = log;
    const answer = await this.#request(replication.methods.resync, {
      copy: ref,
      historyUuid: store.identity.historyUuid,
      epochs: toWireEpochs(store.epochs),
      maxSeqNo: log.maxSeqNo,
      globalCheckpoint: this.#checkpoint,
      head: toWireHead(store.head()),
      seen: toWireSeen(store.peers.get(ref.allocationId)),
    });
    if (this.#isStopped) return;
    if (answer.seen) store.checkSeen(fromWireHead(answer.seen));
    if (answer.head) store.notePeer(fromWireHead(answer.head));
    this.#mustResync = false;
    this.#cursor = answer.matchPoint + 1;
    this.#advance(answer.matchPoint, answer.matchPoint);
  }

  #advance(localCheckpoint: number, received: number): void {
    this.localCheckpoint = Math.max(this.localCheckpoint, localCheckpoint);
    this.received = Math.max(this.received, received);
    this.#options.progressed();
  }

  #collect(): Uint8Array[] {
    const { log } = this.#options;
    const records: Uint8Array[] = [];
    let bytes = 0;
    for (
      let seqNo = this.#cursor;
      seqNo <= log.maxSeqNo && records.length < BATCH_OPERATIONS_MAX && bytes < BATCH_BYTES_MAX;
      seqNo++
    ) {
      const record = log.store.record(seqNo);
      if (!record) throw errors.illegalState(`operation [${seqNo}] is no longer in the log`);
      records.push(record);
      bytes += record.length;
    }
    return records;
  }

  async #sendBatch(): Promise<void> {
    const { log, ref, mustSync, mappingVersion } = this.#options;
    const { store } = log;
    const records = this.#collect();
    const asked = this.#options.asked();
    const previousSeqNo = this.#cursor - 1;
    const globalCheckpoint = this.#checkpoint;
    const answer = await this.#request(replication.methods.replicate, {
      copy: ref,
      previousSeqNo,
      previousTerm: termAt(store.epochs, previousSeqNo),
      records,
      globalCheckpoint,
      head: toWireHead(store.head()),
      sync: mustSync(),
      mappingVersion: mappingVersion(),
    });
    if (this.#isStopped) return;
    if (answer.outcome !== OUTCOME.taken) {
      this.#mustResync = true;
      return;
    }
    if (answer.head) store.notePeer(fromWireHead(answer.head));
    this.#cursor += records.length;
    this.#toldCheckpoint = globalCheckpoint;
    this.confirmed = asked;
    this.#advance(answer.localCheckpoint, answer.maxSeqNo);
  }

  /** Sends a message beside the stream: refreshes, leases. */
  async sync(request: Omit<replication.SyncRequest, 'copy'>): Promise<void> {
    await this.#request(replication.methods.sync, { ...request, copy: this.#options.ref });
  }

  async #onError(error: unknown): Promise<void> {
    const { clock, events, failed, superseded, ref } = this.#options;
    const known = toApiError(error);
    if (known.type === 'stale_primary_term_exception') {
      this.#isStopped = true;
      return superseded(known);
    }
    this.#firstFailureMs ??= clock.monotonic();
    const isOver = clock.monotonic() - this.#firstFailureMs >= RETRY_TIMEOUT_MS;
    if (isOver || (isApiError(error) && FINAL.has(known.type))) {
      this.#isStopped = true;
      events.write('warn', 'a copy of a shard takes no operations and is failed', {
        indexUuid: ref.indexUuid,
        shard: ref.shard,
        allocationId: ref.allocationId,
        'error.message': known.message,
      });
      return failed(known);
    }
    // The request may or may not have arrived, and the copy may have restarted.
    await new Promise<void>((resolve) => {
      const timer = clock.after(this.#backoffMs, resolve);
      this.#wake = () => {
        if (!this.#isStopped) return;
        timer.cancel();
        resolve();
      };
    });
    this.#backoffMs = Math.min(this.#backoffMs * 2, BACKOFF_MAX_MS);
  }
}
