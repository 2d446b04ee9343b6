import type { Clock, Log } from '@shoal/doors';
import { errors } from '@shoal/errors';
import type { ParsedDocument } from '@shoal/mapping';
import type { NumberColumn, SegmentReader } from '@shoal/segments';
import type { Operation, ShardStore, Superseded } from '@shoal/store';
import type { ShardMetadata } from '../shard-api.js';
import { createCounters, type Counters } from '../stats/counters.js';
import { BufferPart, firstDocOf, type Part, SealedPart } from './part.js';
import { type EngineSettings, engineSettings } from './shard-settings.js';
import { Tombstones } from './tombstones.js';

/** The newest operation of an id: where its document is, or that it was deleted. */
export type Located =
  | { readonly kind: 'live'; readonly seqNo: number; readonly primaryTerm: number; readonly version: number; readonly part: Part; readonly firstDoc: number; readonly doc: number }
  | { readonly kind: 'deleted'; readonly seqNo: number; readonly primaryTerm: number; readonly version: number };

/** What a new operation gets besides its document. */
export interface OperationFrame {
  readonly id: string;
  readonly routing: string | null;
  readonly autoId: boolean;
  readonly version: number;
}

export interface EngineDoors {
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * The state of a shard and the rules that keep it consistent: parts in order of their operations, deletes, numbers.
 * Nothing in here waits; one call is one step that no other call can see half done.
 */
export class Engine {
  readonly store: ShardStore;
  readonly doors: EngineDoors;
  readonly tombstones = new Tombstones();
  readonly counters: Counters = createCounters();
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
    if (tombstone) return { kind: 'deleted', seqNo: tombstone.seqNo, primaryTerm: tombstone.primaryTerm, version: tombstone.version };
    return this.#inBuffer(this.current, id) ?? (this.sealing && this.#inBuffer(this.sealing, id)) ?? this.#inSegments(id);
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
    const operation: Operation = {
      kind: 'index',
      seqNo: this.maxSeqNo + 1,
      primaryTerm: this.primaryTerm,
      version: frame.version,
      id: frame.id,
      routing: frame.routing,
      autoId: frame.autoId,
      created: previous?.kind !== 'live',
      ignored: parsed.ignored,
      source,
    };
    this.apply(operation, parsed, previous);
    this.#log(operation);
    return operation.seqNo;
  }

  /** Records the delete of an id, whether it has a document or not. */
  remove(frame: OperationFrame, previous: Located | null): number {
    const operation: Operation = {
      kind: 'delete',
      seqNo: this.maxSeqNo + 1,
      primaryTerm: this.primaryTerm,
      version: frame.version,
      id: frame.id,
      routing: frame.routing,
      autoId: false,
      created: false,
      ignored: [],
      source: new Uint8Array(0),
    };
    this.apply(operation, null, previous);
    this.#log(operation);
    return operation.seqNo;
  }

  #log(operation: Operation): void {
    this.uncommittedBytes += this.store.append(operation);
    this.uncommittedOperations++;
  }

  /** The change of an operation on parts and numbers, new or replayed. */
  apply(operation: Operation, parsed: ParsedDocument | null, previous: Located | null): void {
    const { id, seqNo, primaryTerm, version } = operation;
    if (parsed) this.#addDocument(operation, parsed);
    this.maxSeqNo = seqNo;
    if (previous?.kind === 'live') {
      this.#deleteDocument(previous);
      this.superseded.push({ seqNo: previous.seqNo, by: seqNo });
    }
    if (parsed) this.tombstones.remove(id);
    else this.#bury(id, { seqNo, primaryTerm, version });
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
  #addToBuffer({ id, seqNo, primaryTerm, version }: Operation, parsed: ParsedDocument): number {
    try {
      return this.current.buffer.add(parsed.parts, { id, seqNo, primaryTerm, version });
    } catch (error) {
      throw this.store.fail(error);
    }
  }

  #deleteDocument(located: Located & { kind: 'live' }): void {
    const { part, firstDoc, doc } = located;
    if (part.kind === 'sealed') part.delete(doc);
    else part.deleteRange(firstDoc, doc);
  }

  #bury(id: string, at: { seqNo: number; primaryTerm: number; version: number }): void {
    this.current.versions.delete(id);
    this.sealing?.versions.delete(id);
    this.superseded.push({ seqNo: at.seqNo, by: at.seqNo });
    const now = this.doors.clock.now();
    this.tombstones.put(id, { ...at, atMs: now });
    this.tombstones.expire(now - this.settings.gcDeletesMs);
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
