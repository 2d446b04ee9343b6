import type { Clock, Log } from '@shoal/doors';
import { type ApiError, errors } from '@shoal/errors';
import type { ParsedDocument } from '@shoal/mapping';
import type { NumberColumn, SegmentReader } from '@shoal/segments';
import { type Operation, type OperationId, type RetentionLease, type ShardStore, type Superseded } from '@shoal/store';
import type { ShardMetadata } from '../shard-metadata.js';
import { createCounters, type Counters } from '../stats/counters.js';
import { BufferPart, firstDocOf, type Part, SealedPart } from './part.js';
import { EarlierWrites } from './earlier-writes.js';
import { RetryTable } from './retry-table.js';
import { SegmentHolders } from './segment-holders.js';
import { type EngineSettings, engineSettings } from './shard-settings.js';
import { Tombstones } from './tombstones.js';

/** Position of the newest operation of an id: a live document, or a delete. */
export type Located =
  | {
      readonly kind: 'live';
      readonly seqNo: number;
      readonly primaryTerm: number;
      readonly version: number;
      readonly part: Part;
      readonly firstDoc: number;
      readonly doc: number;
    }
  | { readonly kind: 'deleted'; readonly seqNo: number; readonly primaryTerm: number; readonly version: number };

/** Members of a new operation besides its document. */
export interface OperationFrame {
  readonly id: string;
  readonly routing: string | null;
  readonly autoId: boolean;
  readonly version: number;
  readonly opId: OperationId | null;
}

/** Effects that the engine uses. */
export interface EngineDoors {
  readonly clock: Clock;
  readonly log: Log;
}

const NONE_IGNORED: readonly string[] = [];
const NO_SOURCE = new Uint8Array(0);

/**
 * State of a shard and the rules that keep it consistent: parts in order of their operations, deletes, sequence
 * numbers. No method waits: each call is one step, of which no other call sees a half.
 */
export class Engine {
  readonly store: ShardStore;
  readonly doors: EngineDoors;
  readonly tombstones = new Tombstones();
  readonly retries = new RetryTable();
  readonly earlierWrites = new EarlierWrites();
  readonly segments = new SegmentHolders();
  counters: Counters = createCounters();
  /** Sealed segments. Their operations are older than those of `sealing` and `current`. */
  sealed: SealedPart[] = [];
  /** The buffer that is being written to a segment; null for none. */
  sealing: BufferPart | null = null;
  current: BufferPart;
  maxSeqNo: number;
  primaryTerm: number;
  nextSegment: number;
  /** Operations that newer ones superseded, in order of the newer ones. */
  superseded: Superseded[];
  /** Bytes of the operations above the newest commit. */
  uncommittedBytes = 0;
  uncommittedOperations = 0;
  /** Whether there are changes since the newest refresh. */
  isDirty = false;
  metadata: ShardMetadata;
  settings: EngineSettings;
  /** The error with which this copy refuses writes of its own, or null. */
  refusal: ApiError | null = null;
  /** Leases of copies that may come back for operations. */
  leases: readonly RetentionLease[];
  /** Version of the leases, raised by each change, and the primary term of the last change. */
  leasesVersion: number;
  leasesTerm: number;
  /** Operations that pinned commits need: superseded up to the number may be removed, later ones not. */
  readonly pins = new Map<object, number>();
  /** Every operation from this number on is in the log. */
  historyFloor: number;
  /** Counter that each rollback raises, and the lowest operation that any rollback went back to (Infinity for none). */
  rollbacks = 0;
  rolledBackTo = Number.POSITIVE_INFINITY;
  /**
   * Pending between the truncation of the log and the end of its replay, when the shard's state must not be shown; null
   * otherwise.
   */
  resetting: Promise<void> | null = null;
  #bufferSerial = 0;
  readonly #seqNoColumns = new WeakMap<SegmentReader, NumberColumn>();
  readonly #oneDoc = new Int32Array(1);
  readonly #oneNumber = new Float64Array(1);

  constructor(store: ShardStore, doors: EngineDoors, metadata: ShardMetadata, primaryTerm: number) {
    this.store = store;
    this.doors = doors;
    this.metadata = metadata;
    this.settings = engineSettings(metadata.metadata.settings);
    this.primaryTerm = primaryTerm;
    this.maxSeqNo = store.commit?.maxSeqNo ?? -1;
    this.nextSegment = store.commit?.nextSegment ?? 0;
    this.superseded = [...(store.commit?.superseded ?? [])];
    this.leases = store.commit?.leases ?? [];
    this.leasesVersion = this.leases.length;
    this.leasesTerm = store.commit?.primaryTerm ?? 1;
    this.historyFloor = store.commit?.historyFloor ?? 0;
    this.current = this.newBuffer();
  }

  newBuffer(): BufferPart {
    return new BufferPart(`buffer-${this.#bufferSerial++}`, this.maxSeqNo + 1);
  }

  /** Returns all parts, oldest first. */
  parts(): Part[] {
    return this.sealing ? [...this.sealed, this.sealing, this.current] : [...this.sealed, this.current];
  }

  /** Returns the newest operation of `id`; null if the shard never had the id or has forgotten its delete. */
  locate(id: string): Located | null {
    const tombstone = this.tombstones.get(id);
    if (tombstone)
      return {
        kind: 'deleted',
        seqNo: tombstone.seqNo,
        primaryTerm: tombstone.primaryTerm,
        version: tombstone.version,
      };
    return (
      this.#inBuffer(this.current, id) ?? (this.sealing && this.#inBuffer(this.sealing, id)) ?? this.#inSegments(id)
    );
  }

  #inBuffer(part: BufferPart, id: string): Located | null {
    const slot = part.versions.get(id);
    if (slot) return { kind: 'live', part, ...slot };
    return part.hasUnlistedIds ? this.#inReader(part, id) : null;
  }

  #inSegments(id: string): Located | null {
    for (let i = this.sealed.length - 1; i >= 0; i--) {
      const found = this.#inReader(this.sealed[i]!, id);
      if (found) return found;
    }
    return null;
  }

  /** Looks for an id in a part. Candidates are found by hash; the operation log has the ids themselves. */
  #inReader(part: Part, id: string): Located | null {
    const { reader } = part;
    const candidates = reader.findId(id);
    for (let i = candidates.length - 1; i >= 0; i--) {
      const doc = candidates[i]!;
      if (!part.isLive(doc)) continue;
      const operation = this.operation(this.seqNoAt(reader, doc));
      if (operation.id !== id) continue;
      const { seqNo, primaryTerm, version } = operation;
      return { kind: 'live', seqNo, primaryTerm, version, part, doc, firstDoc: firstDocOf(reader.roots, doc) };
    }
    return null;
  }

  /** Returns the sequence number of a document. Throws corrupt_index_exception for a reader without the column. */
  seqNoAt(reader: SegmentReader, doc: number): number {
    let column = this.#seqNoColumns.get(reader);
    if (column === undefined) {
      const made = reader.numbers('_seq_no');
      if (made === null) throw errors.corruption('segment without sequence numbers');
      this.#seqNoColumns.set(reader, (column = made));
    }
    this.#oneDoc[0] = doc;
    column.read(this.#oneDoc, 1, this.#oneNumber);
    return this.#oneNumber[0]!;
  }

  /** Returns an operation of the log. A missing operation is damage and ends the shard. */
  operation(seqNo: number): Operation {
    const operation = this.store.operation(seqNo);
    if (operation) return operation;
    throw this.store.fail(errors.corruption(`operation [${seqNo}] of a document is missing`));
  }

  /** Adds a document as the newest of its id. `previous` is the result of `locate`. Returns the sequence number. */
  index(frame: OperationFrame, parsed: ParsedDocument, source: Uint8Array, previous: Located | null): number {
    const { id, routing, autoId, version, opId } = frame;
    const created = previous?.kind !== 'live';
    return this.#assign(
      {
        kind: 'index',
        seqNo: this.maxSeqNo + 1,
        primaryTerm: this.primaryTerm,
        version,
        id,
        routing,
        autoId,
        created,
        opId,
        atMs: 0,
        ignored: parsed.ignored,
        source,
      },
      parsed,
      previous,
    );
  }

  /** Deletes an id, whether it has a document or not. Returns the sequence number. */
  remove(frame: OperationFrame, previous: Located | null): number {
    const { id, routing, autoId, version, opId } = frame;
    const created = previous?.kind !== 'live';
    const atMs = this.doors.clock.now();
    return this.#assign(
      {
        kind: 'delete',
        seqNo: this.maxSeqNo + 1,
        primaryTerm: this.primaryTerm,
        version,
        id,
        routing,
        autoId,
        created,
        opId,
        atMs,
        ignored: NONE_IGNORED,
        source: NO_SOURCE,
      },
      null,
      previous,
    );
  }

  #assign(operation: Operation, parsed: ParsedDocument | null, previous: Located | null): number {
    if (this.refusal) throw this.refusal;
    this.apply(operation, parsed, previous);
    this.#count(this.store.append(operation));
    return operation.seqNo;
  }

  /** Applies an operation of the primary; `value` is its record. */
  receive(operation: Operation, value: Uint8Array, parsed: ParsedDocument | null, previous: Located | null): void {
    if (operation.seqNo !== this.maxSeqNo + 1)
      throw errors.illegalState(`operation [${operation.seqNo}] does not follow [${this.maxSeqNo}]`);
    this.apply(operation, parsed, previous);
    this.#count(this.store.appendReceived(operation, value));
  }

  #count(bytes: number): void {
    this.uncommittedBytes += bytes;
    this.uncommittedOperations++;
  }

  /** Applies an operation, new or replayed, to parts, tombstones and sequence numbers. */
  apply(operation: Operation, parsed: ParsedDocument | null, previous: Located | null): void {
    const { id, seqNo, opId } = operation;
    if (parsed) this.#addDocument(operation, parsed);
    this.maxSeqNo = seqNo;
    if (previous?.kind === 'live') this.#deleteDocument(previous, seqNo);
    // A superseded delete keeps its operation as long as its tombstone.
    if (previous) this.superseded.push({ seqNo: previous.seqNo, by: seqNo });
    if (parsed) this.tombstones.remove(id);
    else this.#bury(operation);
    if (opId !== null) this.retries.add(opId, seqNo, this.doors.clock.monotonic());
    this.isDirty = true;
  }

  #addDocument(operation: Operation, parsed: ParsedDocument): void {
    const { id, seqNo, primaryTerm, version } = operation;
    const part = this.current;
    const doc = this.#addToBuffer(operation, parsed);
    if (operation.autoId) part.hasUnlistedIds = true;
    else part.versions.put(id, seqNo, primaryTerm, version, doc - parsed.parts.length + 1, doc);
    part.liveRoots++;
    part.rootCount++;
  }

  /**
   * Adds a document to the buffer. A buffer that failed half-way holds part of a document, so the shard ends rather
   * than show it.
   */
  #addToBuffer(operation: Operation, parsed: ParsedDocument): number {
    try {
      return this.current.buffer.add(parsed.parts, operation);
    } catch (error) {
      throw this.store.fail(error);
    }
  }

  #deleteDocument(located: Located & { kind: 'live' }, by: number): void {
    const { part, firstDoc, doc } = located;
    if (part.kind === 'sealed') part.delete(doc, by);
    else part.deleteRange(firstDoc, doc, by);
  }

  #bury({ id, seqNo, primaryTerm, version, atMs }: Operation): void {
    this.current.versions.delete(id);
    this.sealing?.versions.delete(id);
    this.tombstones.put(id, { seqNo, primaryTerm, version, atMs });
    this.expire();
  }

  /** Restores a tombstone of the commit. */
  remember({ id, seqNo, primaryTerm, version, atMs }: Operation): void {
    this.tombstones.put(id, { seqNo, primaryTerm, version, atMs });
  }

  /** The lowest operation whose write may be repeated; Infinity when there is none. */
  get firstRepeatable(): number {
    return Math.min(this.retries.lowestSeqNo(), this.earlierWrites.lowestSeqNo);
  }

  /** Drops tombstones and retry entries that have expired. */
  expire(): void {
    const now = this.doors.clock.now();
    this.tombstones.expire(now - this.settings.gcDeletesMs, this.store.globalCheckpoint, (seqNo) =>
      this.superseded.push({ seqNo, by: this.maxSeqNo }),
    );
    this.retries.expire(this.doors.clock.monotonic());
    this.earlierWrites.expire(this.doors.clock.monotonic());
  }

  /**
   * Resets the engine to the newest commit of the store, with `parts` as its segments. The caller replays the log above
   * the commit.
   */
  reset(parts: SealedPart[]): void {
    const { commit } = this.store;
    this.rollbacks++;
    this.sealed = parts;
    this.sealing = null;
    this.maxSeqNo = commit?.maxSeqNo ?? -1;
    this.current = this.newBuffer();
    this.superseded = [...(commit?.superseded ?? [])];
    this.tombstones.clear();
    this.retries.clear();
    this.earlierWrites.clear();
    this.uncommittedBytes = 0;
    this.uncommittedOperations = 0;
    this.isDirty = true;
  }

  applyMetadata(metadata: ShardMetadata): void {
    if (metadata.metadata.settings !== this.metadata.metadata.settings) {
      this.settings = engineSettings(metadata.metadata.settings);
      this.store.setDurability({ mode: this.settings.durability, syncIntervalMs: this.settings.syncIntervalMs });
    }
    this.metadata = metadata;
  }

  /** Returns the number of live root documents of all parts, refreshed or not. */
  liveDocCount(): number {
    return this.parts().reduce((sum, part) => sum + part.liveRoots, 0);
  }
}
