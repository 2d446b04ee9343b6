import type { Clock, Log } from '@shoal/doors';
import { type ApiError, errors } from '@shoal/errors';
import type { ParsedDocument } from '@shoal/mapping';
import type { NumberColumn, SegmentReader } from '@shoal/segments';
import { type Operation, type OperationId, type RetentionLease, type ShardStore, type Superseded } from '@shoal/store';
import type { ShardMetadata } from '../shard-api.js';
import { createCounters, type Counters } from '../stats/counters.js';
import { BufferPart, firstDocOf, type Part, SealedPart } from './part.js';
import { EarlierWrites } from './earlier-writes.js';
import { RetryTable } from './retry-table.js';
import { SegmentHolders } from './segment-holders.js';
import { type EngineSettings, engineSettings } from './shard-settings.js';
import { Tombstones } from './tombstones.js';

/** The newest operation of an id: where its document is, or that it was deleted. */
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

/** What a new operation gets besides its document. */
export interface OperationFrame {
  readonly id: string;
  readonly routing: string | null;
  readonly autoId: boolean;
  readonly version: number;
  readonly opId: OperationId | null;
}

export interface EngineDoors {
  readonly clock: Clock;
  readonly log: Log;
}

const NONE_IGNORED: readonly string[] = [];
const NO_SOURCE = new Uint8Array(0);

/**
 * The state of a shard and the rules that keep it consistent: parts in order of their operations, deletes, numbers.
 * Nothing in here waits; one call is one step that no other call can see half done.
 */
export class Engine {
  readonly store: ShardStore;
  readonly doors: EngineDoors;
  readonly tombstones = new Tombstones();
  readonly retries = new RetryTable();
  readonly earlierWrites = new EarlierWrites();
  readonly segments = new SegmentHolders();
  counters: Counters = createCounters();
  /** Sealed segments; an operation in one is older than `sealing` and `current`. */
  sealed: SealedPart[] = [];
  /** The buffer that is becoming a segment. */
  sealing: BufferPart | null = null;
  current: BufferPart;
  maxSeqNo: number;
  primaryTerm: number;
  nextSegment: number;
  /** Operations that newer ones made useless, in order of those. */
  superseded: Superseded[];
  /** Bytes of operations above the newest commit. */
  uncommittedBytes = 0;
  uncommittedOperations = 0;
  /** Changes since the newest refresh. */
  isDirty = false;
  metadata: ShardMetadata;
  settings: EngineSettings;
  /** Why the copy takes no writes of its own, or null. */
  refusal: ApiError | null = null;
  /** Copies that may come back for operations. */
  leases: readonly RetentionLease[];
  /** How often they were changed, and the term of the last change. */
  leasesVersion: number;
  leasesTerm: number;
  /** Operations that commits up to these need, for those who copy them. */
  readonly pins = new Map<object, number>();
  /** Every operation from this one on is in the log. */
  historyFloor: number;
  /** How often the log was cut, and the lowest operation that was kept each time. */
  rollbacks = 0;
  rolledBackTo = Number.POSITIVE_INFINITY;
  /** Between the cut of the log and the end of its replay: nothing of it may show. Resolves at the end of it. */
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

  /** All parts, oldest first. */
  parts(): Part[] {
    return this.sealing ? [...this.sealed, this.sealing, this.current] : [...this.sealed, this.current];
  }

  /** The newest operation of `id`; null when the shard has never had it, or has forgotten its delete. */
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

  /** Candidates come by hash; the operation log has the ids themselves. */
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

  /** Sequence number of a document. Throws corrupt_index_exception for a reader that has none. */
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

  /** The operation of a document; a document without one is damage and ends the shard. */
  operation(seqNo: number): Operation {
    const operation = this.store.operation(seqNo);
    if (operation) return operation;
    throw this.store.fail(errors.corruption(`operation [${seqNo}] of a document is missing`));
  }

  /** Adds a document as the newest of its id; `previous` is what `locate` says. Returns its sequence number. */
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

  /** Records the delete of an id, whether it has a document or not. */
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

  /** Takes over an operation of the primary; `value` is its record. */
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

  /** The change of an operation on parts and numbers, new or replayed. */
  apply(operation: Operation, parsed: ParsedDocument | null, previous: Located | null): void {
    const { id, seqNo, opId } = operation;
    if (parsed) this.#addDocument(operation, parsed);
    this.maxSeqNo = seqNo;
    if (previous?.kind === 'live') this.#deleteDocument(previous, seqNo);
    // The operation of a delete is kept for as long as the delete is remembered.
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

  /** A buffer that failed half-way holds part of a document: the shard ends rather than search it. */
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

  /** Remembers a delete of the commit. */
  remember({ id, seqNo, primaryTerm, version, atMs }: Operation): void {
    this.tombstones.put(id, { seqNo, primaryTerm, version, atMs });
  }

  /** The oldest operation that a write may be a repetition of; infinite when there is none. */
  get firstRepeatable(): number {
    return Math.min(this.retries.lowestSeqNo(), this.earlierWrites.lowestSeqNo);
  }

  /** Forgets deletes and repetitions whose time is over. */
  expire(): void {
    const now = this.doors.clock.now();
    this.tombstones.expire(now - this.settings.gcDeletesMs, this.store.globalCheckpoint, (seqNo) =>
      this.superseded.push({ seqNo, by: this.maxSeqNo }),
    );
    this.retries.expire(this.doors.clock.monotonic());
    this.earlierWrites.expire(this.doors.clock.monotonic());
  }

  /** Back to the newest commit of the store, whose segments are `parts`; the log above it is to be replayed. */
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

  /** Live root documents of all parts, refreshed or not. */
  liveDocCount(): number {
    return this.parts().reduce((sum, part) => sum + part.liveRoots, 0);
  }
}
