import { encodeValue } from '@shoal/codec';
import type { Clock, TimerHandle } from '@shoal/doors';
import { errors } from '@shoal/errors';
import type { recovery } from '@shoal/protocol';
import type { PinnedCommit, Shard } from '@shoal/shard';
import { type CommittedSegment, matchPoint, type ShardStore } from '@shoal/store';
import type { AssignedCopy, Primary } from './primary.js';
import { fromWireHead, toWireEpochs, toWireSeen } from './wire.js';

/** Files that nobody asks for any more are let go after so long. */
const PIN_EXPIRY_MS = 10 * 60_000;

/** Number of `StartAnswer.mode`. */
export const MODE = { operations: 0, files: 1 } as const;

export interface RecoverySourceOptions {
  readonly shard: Shard;
  readonly primary: Primary;
  readonly clock: Clock;
  /** Whether the applied state has the copy on this node. */
  readonly isAssigned: (copy: AssignedCopy) => boolean;
}

interface Pinned {
  readonly pin: PinnedCommit;
  /** Keeps the operations that come after. */
  readonly promise: () => void;
  timer: TimerHandle;
}

/** The primary's side of recoveries (cluster.md §5.6): decides between operations and files, and hands out both. */
export class RecoverySource {
  readonly #options: RecoverySourceOptions;
  readonly #pins = new Map<string, Pinned>();
  #serial = 0;

  constructor(options: RecoverySourceOptions) {
    this.#options = options;
  }

  get #store(): ShardStore {
    return this.#options.shard.log.store;
  }

  /** R1, R2. Throws retry_on_primary_exception while the primary does not know the copy. */
  async start(request: recovery.StartRequest): Promise<recovery.StartAnswer> {
    const { primary, isAssigned } = this.#options;
    const copy = { allocationId: request.allocationId, nodeId: request.nodeId };
    if (request.primaryTerm !== primary.term || !isAssigned(copy)) throw errors.retryOnPrimary(`the primary of term [${primary.term}] does not know copy [${copy.allocationId}]`);
    if (request.seen) this.#store.checkSeen(fromWireHead(request.seen));
    const point = this.#commonHistory(request);
    if (point === null) return this.#startFiles(copy);
    primary.track(copy, point + 1);
    const seen = request.head && this.#store.seenOf(fromWireHead(request.head));
    return { ...this.#answer(MODE.operations, '', undefined, this.#options.shard.log.maxSeqNo - point), seen: toWireSeen(seen) };
  }

  /** The operation from which on the copy can be given the log; null when it cannot. */
  #commonHistory(request: recovery.StartRequest): number | null {
    const { log } = this.#options.shard;
    if (request.filesOnly || request.historyUuid !== this.#store.identity.historyUuid) return null;
    const point = matchPoint({ epochs: this.#store.epochs, maxSeqNo: log.maxSeqNo }, request);
    return point + 1 >= log.historyFloor ? point : null;
  }

  #answer(mode: number, recoveryId: string, commit: recovery.CommitInfo | undefined, operations: number): recovery.StartAnswer {
    return { mode, recoveryId, historyUuid: this.#store.identity.historyUuid, primaryTerm: this.#options.primary.term, commit, operations, seen: undefined };
  }

  async #startFiles(copy: AssignedCopy): Promise<recovery.StartAnswer> {
    const { shard, primary } = this.#options;
    await shard.flushChanges();
    const pin = shard.log.pin();
    const from = (pin?.commit.maxSeqNo ?? -1) + 1;
    if (from < shard.log.historyFloor) {
      pin?.release();
      throw errors.retryOnPrimary('no commit of the primary is safe yet');
    }
    const promise = (): void => primary.retain(copy.nodeId, from);
    promise();
    if (!pin) return this.#answer(MODE.files, '', undefined, 0);
    const id = `${copy.allocationId}/${++this.#serial}`;
    this.#pins.set(id, { pin, promise, timer: this.#expireLater(id) });
    return this.#answer(MODE.files, id, this.#describe(pin), shard.log.maxSeqNo - pin.commit.maxSeqNo);
  }

  #expireLater(id: string): TimerHandle {
    return this.#options.clock.after(PIN_EXPIRY_MS, () => this.release(id));
  }

  #describe({ commit }: PinnedCommit): recovery.CommitInfo {
    const { maxSeqNo, primaryTerm, nextSegment, epochs, tombstones, retriesFrom } = commit;
    return {
      maxSeqNo,
      primaryTerm,
      nextSegment,
      historyFloor: maxSeqNo + 1,
      epochs: toWireEpochs(epochs),
      tombstones: encodeValue([...tombstones]),
      retriesFrom,
      segments: commit.segments.map((segment) => this.#describeSegment(segment)),
    };
  }

  #describeSegment(segment: CommittedSegment): recovery.Segment {
    const bytes = this.#store.segment(segment.segment, segment.rootHash);
    const live = this.#store.live(segment);
    const parts = bytes.parts.map((name) => ({ name, chunks: bytes.chunkCount(name), bytes: bytes.byteSize }));
    bytes.release();
    const words = live === null ? {} : { live: new Uint8Array(live.buffer, live.byteOffset, live.byteLength) };
    return { number: segment.segment, maxDoc: segment.maxDoc, deletedDocs: segment.deletedDocs, rootHash: segment.rootHash, parts, ...words };
  }

  #pinned(id: string): PinnedCommit {
    const held = this.#pins.get(id);
    if (!held) throw errors.illegalState(`recovery [${id}] is over`);
    held.timer.cancel();
    held.timer = this.#expireLater(id);
    held.promise();
    return held.pin;
  }

  /** R3: some chunks of a part, verified. */
  chunks(request: recovery.ChunksRequest): recovery.ChunksAnswer {
    const segment = this.#pinned(request.recoveryId).commit.segments.find((one) => one.segment === request.segment);
    if (!segment) throw errors.illegalArgument(`segment [${request.segment}] is not part of recovery [${request.recoveryId}]`);
    const bytes = this.#store.segment(segment.segment, segment.rootHash);
    const chunks: Uint8Array[] = [];
    let size = 0;
    for (let i = request.first; i < bytes.chunkCount(request.part) && size < request.bytesMax; i++) {
      const chunk = bytes.chunk(request.part, i);
      chunks.push(chunk);
      size += chunk.length;
    }
    bytes.release();
    return { chunks };
  }

  /** R3: operations up to the commit that are in the log. */
  async operations(request: recovery.OperationsRequest): Promise<recovery.OperationsAnswer> {
    const { commit } = this.#pinned(request.recoveryId);
    const seqNos: number[] = [];
    const records: Uint8Array[] = [];
    let size = 0;
    let next = -1;
    for await (const [seqNo, value] of this.#store.records(request.from, commit.maxSeqNo)) {
      if (size >= request.bytesMax) {
        next = seqNo;
        break;
      }
      seqNos.push(seqNo);
      records.push(value);
      size += value.length;
    }
    return { seqNos: new Uint8Array(Float64Array.from(seqNos).buffer), records, next };
  }

  /** R6: resolves when the copy holds the global checkpoint back, so that nothing is answered for without it. */
  async finalize(request: recovery.FinalizeRequest): Promise<recovery.FinalizeAnswer> {
    const { primary } = this.#options;
    this.release(request.recoveryId);
    await primary.counted(request.allocationId);
    return { globalCheckpoint: this.#store.globalCheckpoint, primaryTerm: primary.term };
  }

  release(id: string): void {
    const held = this.#pins.get(id);
    if (!held) return;
    this.#pins.delete(id);
    held.timer.cancel();
    held.pin.release();
  }

  close(): void {
    for (const id of [...this.#pins.keys()]) this.release(id);
  }
}
