import { encodeValue } from '@shoal/codec';
import type { Clock, TimerHandle } from '@shoal/doors';
import { errors } from '@shoal/errors';
import type { recovery } from '@shoal/protocol';
import type { PinnedCommit, Shard } from '@shoal/shard';
import { type CommittedSegment, matchPoint, type ShardStore } from '@shoal/store';
import { knownTo } from './known-records.js';
import type { AssignedCopy, Primary } from './primary.js';
import { fromWireHead, toWireEpochs, toWireSeen } from './wire.js';

/** Milliseconds without requests after which pinned files are released. */
const PIN_EXPIRY_MS = 10 * 60_000;

/** Values of `StartAnswer.mode`. */
export const MODE = { operations: 0, files: 1 } as const;

/** Parts of a primary that serving recoveries needs. */
export interface RecoverySourceOptions {
  readonly shard: Shard;
  readonly primary: Primary;
  readonly clock: Clock;
  /** Whether the applied state has assigned the copy. */
  readonly isAssigned: (copy: AssignedCopy) => boolean;
}

interface Pinned {
  readonly pin: PinnedCommit;
  /** Keeps the operations after the files. */
  readonly promise: () => void;
  timer: TimerHandle;
}

/** Whether a copy's segment of the same number is identical: written by the same store, with the same checksums. */
function isSameSegment(madeBy: Uint8Array | null, rootHash: Uint8Array, own: Uint8Array): boolean {
  return madeBy !== null && Buffer.compare(rootHash, own) === 0;
}

/**
 * The primary's side of recoveries (docs/internals/cluster.md §5.6): chooses between operations and files, and sends
 * both.
 */
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

  /** Starts a recovery (R1, R2). Throws retry_on_primary_exception while the primary does not know the copy. */
  async start(request: recovery.StartRequest): Promise<recovery.StartAnswer> {
    const { primary, isAssigned } = this.#options;
    const copy = { allocationId: request.allocationId, nodeId: request.nodeId };
    if (request.primaryTerm !== primary.term || !isAssigned(copy))
      throw errors.retryOnPrimary(`the primary of term [${primary.term}] does not know copy [${copy.allocationId}]`);
    if (request.seen) this.#store.checkSeen(fromWireHead(request.seen));
    const point = this.#matchPoint(request);
    if (request.filesOnly || !this.#hasSameHistory(request) || point + 1 < this.#options.shard.log.historyFloor)
      return this.#startFiles(copy, request, point);
    primary.track(copy, point + 1, request.attempt);
    const seen = request.head && this.#store.seenOf(fromWireHead(request.head));
    return {
      ...this.#answer(MODE.operations, '', undefined, this.#options.shard.log.maxSeqNo - point),
      seen: toWireSeen(seen),
    };
  }

  #hasSameHistory(request: recovery.StartRequest): boolean {
    return request.historyUuid === this.#store.identity.historyUuid;
  }

  /** Returns the last operation that both logs share; -1 if there is none. */
  #matchPoint(request: recovery.StartRequest): number {
    if (!this.#hasSameHistory(request)) return -1;
    return matchPoint({ epochs: this.#store.epochs, maxSeqNo: this.#options.shard.log.maxSeqNo }, request);
  }

  #answer(
    mode: number,
    recoveryId: string,
    commit: recovery.CommitInfo | undefined,
    operations: number,
  ): recovery.StartAnswer {
    return {
      mode,
      recoveryId,
      historyUuid: this.#store.identity.historyUuid,
      primaryTerm: this.#options.primary.term,
      commit,
      operations,
      seen: undefined,
      commonBelow: 0,
    };
  }

  async #startFiles(copy: AssignedCopy, request: recovery.StartRequest, point: number): Promise<recovery.StartAnswer> {
    const { shard, primary } = this.#options;
    primary.startOver(copy, request.attempt);
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
    const commit = this.#describe(pin, request.segments);
    return {
      ...this.#answer(MODE.files, id, commit, shard.log.maxSeqNo - pin.commit.maxSeqNo),
      commonBelow: point + 1,
    };
  }

  #expireLater(id: string): TimerHandle {
    return this.#options.clock.after(PIN_EXPIRY_MS, () => this.release(id));
  }

  #describe({ commit }: PinnedCommit, own: readonly recovery.OwnSegment[]): recovery.CommitInfo {
    const held = new Map(own.map(({ number, rootHash }) => [number, rootHash]));
    const { maxSeqNo, primaryTerm, nextSegment, epochs, tombstones, retriesFrom } = commit;
    return {
      maxSeqNo,
      primaryTerm,
      nextSegment,
      historyFloor: maxSeqNo + 1,
      epochs: toWireEpochs(epochs),
      tombstones: encodeValue([...tombstones]),
      retriesFrom,
      segments: commit.segments.map((segment) => this.#describeSegment(segment, held.get(segment.segment))),
    };
  }

  #describeSegment(segment: CommittedSegment, own: Uint8Array | undefined): recovery.Segment {
    const bytes = this.#store.segment(segment.segment, segment.rootHash);
    const live = this.#store.live(segment);
    const parts = bytes.parts.map((name) => ({ name, chunks: bytes.chunkCount(name), bytes: bytes.byteSize }));
    const { madeBy } = bytes;
    bytes.release();
    const words = live === null ? {} : { live: new Uint8Array(live.buffer, live.byteOffset, live.byteLength) };
    const held = own !== undefined && isSameSegment(madeBy, segment.rootHash, own);
    return {
      number: segment.segment,
      maxDoc: segment.maxDoc,
      deletedDocs: segment.deletedDocs,
      rootHash: segment.rootHash,
      parts,
      held,
      ...words,
      ...(madeBy === null ? {} : { madeBy }),
    };
  }

  #pinned(id: string): PinnedCommit {
    const held = this.#pins.get(id);
    if (!held) throw errors.illegalState(`recovery [${id}] is over`);
    held.timer.cancel();
    held.timer = this.#expireLater(id);
    held.promise();
    return held.pin;
  }

  /** Reads and verifies some chunks of a part of a segment (R3). */
  chunks(request: recovery.ChunksRequest): recovery.ChunksAnswer {
    const segment = this.#pinned(request.recoveryId).commit.segments.find((one) => one.segment === request.segment);
    if (!segment)
      throw errors.illegalArgument(`segment [${request.segment}] is not part of recovery [${request.recoveryId}]`);
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

  /** Reads operations of the log up to the commit (R3). */
  async operations(request: recovery.OperationsRequest): Promise<recovery.OperationsAnswer> {
    const { commit } = this.#pinned(request.recoveryId);
    const isKnown = knownTo(request);
    const last = request.knownBelow > 0 ? Math.min(request.knownBelow - 1, commit.maxSeqNo) : commit.maxSeqNo;
    const held: number[] = [];
    const seqNos: number[] = [];
    const records: Uint8Array[] = [];
    let size = 0;
    let next = last < commit.maxSeqNo ? last + 1 : -1;
    for await (const [seqNo, value] of this.#store.records(request.from, last)) {
      if (isKnown(seqNo, value)) {
        held.push(seqNo - request.from);
        continue;
      }
      if (size >= request.bytesMax) {
        next = seqNo;
        break;
      }
      seqNos.push(seqNo);
      records.push(value);
      size += value.length;
    }
    return {
      seqNos: new Uint8Array(Float64Array.from(seqNos).buffer),
      records,
      next,
      held: new Uint8Array(Uint32Array.from(held).buffer),
    };
  }

  /** Resolves when the copy counts, so that no operation is acknowledged without it (R6). */
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
