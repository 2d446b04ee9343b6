import type { BatchOperation, KeyValueStore } from '@shoal/doors';
import { type ApiError, errors } from '@shoal/errors';
import { writeAtRest } from './copy/at-rest.js';
import type { PeerHead } from './log/batch-header.js';
import type { BatchIndex, ChainPoint } from './log/batch-index.js';
import { appendChecksum, hasItsChecksum, verifyRecord } from './level/checksum.js';
import type { Commit, CommittedSegment } from './commit/commit.js';
import { type BuiltCommit, buildCommit, keptCommits, keysOfDropped } from './commit/commit-batch.js';
import type { DamageRecord } from './copy/damage.js';
import { type Epoch, upTo, withOperation } from './log/epochs.js';
import {
  type ChainHead,
  type ClosingPart,
  createGroupCommit,
  type Durability,
  type GroupCommit,
} from './commit/group-commit.js';
import { type StoreIdentity, writeIdentity } from './copy/identity.js';
import {
  deletesKey,
  isBatchKey,
  manifestKey,
  numberedKey,
  numberedKeys,
  numberedRange,
  numberOfKey,
} from './level/keys.js';
import { Maintenance } from './commit/maintenance.js';
import { PeerHeads } from './log/peer-heads.js';
import { openFlag } from './shard-paths.js';
import { oldestBatchNeeded, type VerifiedStore } from './copy/open-verified.js';
import {
  decodeOperation,
  OperationEncoder,
  type Operation,
  type OperationRecord,
  receivedRecord,
} from './log/operation.js';
import { createOperationCache, type OperationCache } from './log/operation-cache.js';
import { createReopening } from './copy/reopening.js';
import {
  createSegmentWriter,
  openSegmentBytes,
  type SegmentBytes,
  type SegmentWriter,
} from './commit/segment-parts.js';
import type { CommitDraft, ShardStore, ShardStoreOptions } from './shard-store-api.js';
import type { PoisonableStore } from './level/poisonable-store.js';
import { createStoreSize } from './commit/store-size.js';
import { asStoreError, isCorruption } from './level/store-errors.js';
import { storeInfo } from './copy/store-info.js';

const WITNESS_SYNC_MS = 1000;

function wordsOf(bytes: Uint8Array): Int32Array {
  return new Int32Array(new Uint8Array(bytes).buffer);
}

/** Throws corrupt_index_exception unless a record of an operation is whole. */
function checkOperation(key: Uint8Array, value: Uint8Array, seqNo: number): void {
  if (!hasItsChecksum(key, value)) throw errors.corruption(`operation [${seqNo}] is damaged`);
}

function createWitnessing(options: ShardStoreOptions, state: VerifiedStore, generation: () => number) {
  let isScheduled = false;
  return (head: ChainHead): void => {
    state.witness.write({
      chainId: state.identity.chainId,
      batch: head.batch,
      link: head.link,
      generation: generation(),
    });
    if (isScheduled) return;
    isScheduled = true;
    options.clock.after(WITNESS_SYNC_MS, () => {
      isScheduled = false;
      state.witness.sync().catch((error) =>
        options.log.write('warn', 'witness could not be synced', {
          path: options.path,
          'error.message': String(error),
        }),
      );
    });
  };
}

/** The store of one shard copy, over a verified LevelDB. */
export class ChainedShardStore implements ShardStore {
  onPersisted: ((seqNo: number) => void) | null = null;
  localCheckpoint: number;
  readonly #options: ShardStoreOptions;
  readonly #state: VerifiedStore;
  readonly #damage: DamageRecord;
  readonly #groups: GroupCommit;
  readonly #cached: OperationCache;
  readonly #encoder = new OperationEncoder();
  readonly #peers: PeerHeads;
  #identity: StoreIdentity;
  #commits: readonly Commit[];
  /**
   * Commit point whose generation the next witness contains: the one in the batch that is being written, or the last.
   */
  #witnessed: Commit | null;
  #lastGeneration: number;
  #epochs: readonly Epoch[];
  #currentTerm: number;
  #globalCheckpoint: number;
  #isAlone: boolean;
  #notedGlobal = -1;
  /** Highest global checkpoint that a batch header has declared while the copy was alone, synced or not. */
  #declaredSafe = -1;
  /** The chain that was verified at open has the checksums of the operations up to this number. */
  #verifiedSeqNo: number;
  readonly #batches: BatchIndex;
  /** Segments that are open for reading. */
  readonly #segments = new Set<SegmentBytes>();
  readonly #maintenance: Maintenance;
  readonly sizeInBytes: () => Promise<number>;
  #isClosed = false;

  constructor(options: ShardStoreOptions, state: VerifiedStore, damage: DamageRecord) {
    const { chain, commits } = state;
    this.#options = options;
    this.#state = state;
    this.#damage = damage;
    this.#cached = createOperationCache(options.cache);
    this.#identity = state.identity;
    this.#commits = commits;
    this.#witnessed = commits.at(-1) ?? null;
    this.#lastGeneration = Math.max(chain.lastGeneration, this.#witnessed?.generation ?? 0);
    this.#epochs = chain.epochs;
    this.#currentTerm = chain.term;
    this.#globalCheckpoint = chain.globalCheckpoint;
    this.#isAlone = options.isAlone ?? true;
    this.localCheckpoint = chain.globalCheckpoint;
    this.#peers = new PeerHeads(chain.peers);
    this.#verifiedSeqNo = chain.maxSeqNo;
    this.#batches = chain.batches;
    const { path, files, log } = options;
    this.#maintenance = new Maintenance({ path, files, log, batches: chain.batches, store: () => this.#handle() });
    this.sizeInBytes = createStoreSize(options, () => this.#handle());
    this.#groups = createGroupCommit({
      clock: options.clock,
      head: chain.head,
      batches: chain.batches,
      maxSeqNo: chain.maxSeqNo,
      store: () => this.#handle(),
      notes: (lastSeqNo, isClosing) => this.#notes(lastSeqNo, isClosing),
      witness: createWitnessing(options, state, () => this.#witnessed?.generation ?? 0),
      recover: createReopening(options, state, damage),
      persisted: (seqNo) => this.onPersisted?.(seqNo),
      failed: (error) => damage.fail(asStoreError(error), isCorruption(asStoreError(error))),
    });
  }

  get path(): string {
    return this.#options.path;
  }

  get location(): string {
    return `${this.#options.path}/db`;
  }

  get identity(): StoreIdentity {
    return this.#identity;
  }

  get commit(): Commit | null {
    return this.#commits.at(-1) ?? null;
  }

  get commits(): readonly Commit[] {
    return this.#commits;
  }

  get recoveredSeqNo(): number {
    return this.#state.chain.maxSeqNo;
  }

  get epochs(): readonly Epoch[] {
    return this.#epochs;
  }

  get currentTerm(): number {
    return this.#currentTerm;
  }

  get globalCheckpoint(): number {
    return this.#isAlone ? Math.max(this.#globalCheckpoint, this.#groups.persistedSeqNo()) : this.#globalCheckpoint;
  }

  get isAlone(): boolean {
    return this.#isAlone;
  }

  set isAlone(value: boolean) {
    this.#globalCheckpoint = Math.max(this.globalCheckpoint, this.#declaredSafe);
    this.#isAlone = value;
  }

  get peers(): ReadonlyMap<string, PeerHead> {
    return this.#peers.all;
  }

  get failure(): ApiError | null {
    return this.#damage.failure;
  }

  #notes(
    lastSeqNo: number,
    isClosing: boolean,
  ): { checkpoints: { global: number; local: number } | null; peers: PeerHead[] } {
    const peers = this.#peers.take(isClosing);
    // While the copy is alone, a batch is safe as soon as it is synced.
    const global = this.#isAlone ? Math.max(this.#globalCheckpoint, lastSeqNo) : this.#globalCheckpoint;
    if (this.#isAlone) this.#declaredSafe = global;
    if (global === this.#notedGlobal && !isClosing) return { checkpoints: null, peers };
    this.#notedGlobal = global;
    return { checkpoints: { global, local: this.#isAlone ? lastSeqNo : this.localCheckpoint }, peers };
  }

  #handle(): PoisonableStore {
    this.#damage.check();
    return this.#state.store;
  }

  /** The handle for values that a mounted copy may lack. */
  #reader(): KeyValueStore {
    const { mounted } = this.#options;
    return mounted ? mounted.over(this.#handle()) : this.#handle();
  }

  /** Runs a read; if it finds damage, the store fails. */
  #guarded<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw this.#failed(error);
    }
  }

  #failed(error: unknown): unknown {
    const known = asStoreError(error);
    if (isCorruption(known)) this.#damage.fail(known, true);
    return known;
  }

  async *replay(from: Commit | null = this.commit): AsyncIterable<Operation> {
    try {
      yield* this.#replay((from?.maxSeqNo ?? -1) + 1);
    } catch (error) {
      throw this.#failed(error);
    }
  }

  async *#replay(first: number): AsyncIterable<Operation> {
    const last = this.#groups.persistedSeqNo();
    if (last < first) return;
    let seqNo = first;
    for await (const [key, value] of this.#handle().entries(numberedRange('operation', first))) {
      if (isBatchKey(key)) continue;
      if (numberOfKey(key) !== seqNo) throw errors.corruption(`operation [${seqNo}] is missing`);
      const operation = decodeOperation(seqNo, key, value);
      this.#checkAgainstChain(operation, value);
      yield operation;
      seqNo++;
    }
    if (seqNo !== last + 1) throw errors.corruption(`operation [${seqNo}] is missing`);
  }

  #checkAgainstChain(operation: Operation, value: Uint8Array): void {
    const { seqNo } = operation;
    const { firstSeqNo, checksums } = this.#state.chain;
    if (seqNo < firstSeqNo || seqNo > this.#verifiedSeqNo) return;
    if (receivedRecord(operation, value).checksum !== checksums[seqNo - firstSeqNo])
      throw errors.corruption(`operation [${seqNo}] is not the one that was written`);
  }

  append(operation: Operation): number {
    return this.#append(this.#encoder.encode(operation));
  }

  appendReceived(operation: Operation, value: Uint8Array): number {
    return this.#append(receivedRecord(operation, value));
  }

  #append(record: OperationRecord): number {
    this.#groups.append(record);
    if (this.#epochs.at(-1)?.term !== record.term)
      this.#epochs = withOperation(this.#epochs, record.term, record.seqNo);
    if (record.term > this.#currentTerm) this.#currentTerm = record.term;
    return record.byteLength;
  }

  acknowledged(): Promise<void> {
    return this.#groups.acknowledged();
  }

  synced(): Promise<void> {
    return this.#groups.synced();
  }

  setDurability(durability: Durability): void {
    this.#groups.setDurability(durability);
  }

  persistedSeqNo(): number {
    return this.#groups.persistedSeqNo();
  }

  operation(seqNo: number): Operation | undefined {
    const pending = this.#groups.pending(seqNo);
    if (pending) return decodeOperation(seqNo, pending.key, pending.value);
    return this.#cached.get(seqNo) ?? this.#guarded(() => this.#load(seqNo));
  }

  #load(seqNo: number): Operation | undefined {
    const key = numberedKey('operation', seqNo);
    const value = this.#reader().get(key);
    if (value === undefined) return undefined;
    const operation = decodeOperation(seqNo, key, value);
    this.#cached.put(operation, value);
    return operation;
  }

  record(seqNo: number): Uint8Array | undefined {
    const held = this.#groups.pending(seqNo) ?? this.#groups.kept(seqNo);
    if (held) return held.value;
    return this.#guarded(() => {
      const key = numberedKey('operation', seqNo);
      const value = this.#reader().get(key);
      if (value !== undefined) verifyRecord(key, value, `operation [${seqNo}]`);
      return value;
    });
  }

  keepRecords(fromSeqNo: number): void {
    this.#groups.keep(fromSeqNo);
  }

  async *records(from: number, to: number): AsyncIterable<readonly [number, Uint8Array]> {
    try {
      for await (const [key, value] of this.#handle().entries({
        gte: numberedKey('operation', from),
        lt: numberedKey('operation', to + 1),
      })) {
        if (isBatchKey(key)) continue;
        const seqNo = numberOfKey(key);
        checkOperation(key, value, seqNo);
        yield [seqNo, value];
      }
    } catch (error) {
      throw this.#failed(error);
    }
  }

  importRecords(records: readonly (readonly [number, Uint8Array])[], removed: readonly number[] = []): Promise<void> {
    const gone = numberedKeys('operation', removed).map((key): BatchOperation => ({ type: 'del', key }));
    const numbers = records.map(([seqNo]) => seqNo);
    const operations = numberedKeys('operation', numbers).map((key, i): BatchOperation => {
      const [seqNo, value] = records[i]!;
      checkOperation(key, value, seqNo);
      return { type: 'put', key, value };
    });
    return this.#handle().batch([...gone, ...operations], { sync: true });
  }

  /** Ends a batch of the log with something other than operations; `done` runs as soon as the batch is synced. */
  #close<T>(build: Parameters<GroupCommit['close']>[0]['build'], done: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#groups.close({ build, done: (error) => (error === undefined ? resolve(done()) : reject(error)) });
    });
  }

  beginTerm(term: number): Promise<void> {
    if (term <= this.#currentTerm) return Promise.resolve();
    return this.#close(
      () => ({ operations: [], header: { newTerm: term } }),
      () => void (this.#currentTerm = Math.max(term, this.#currentTerm)),
    );
  }

  setGlobalCheckpoint(seqNo: number): boolean {
    if (seqNo <= this.#globalCheckpoint) return false;
    this.#globalCheckpoint = seqNo;
    const kept = keptCommits(this.#commits, seqNo);
    if (kept.length === this.#commits.length) return false;
    const keys = keysOfDropped(this.#commits.slice(0, this.#commits.length - kept.length), kept);
    this.#commits = kept;
    void this.#maintenance.remove(keys);
    this.#trimBatches();
    return true;
  }

  async truncate(maxSeqNo: number): Promise<void> {
    const last = this.#groups.persistedSeqNo();
    if (maxSeqNo >= last) return;
    await this.#maintenance.ended();
    const kept = this.#commits.filter((commit) => commit.maxSeqNo <= maxSeqNo);
    await this.#close(
      () => this.#truncation(maxSeqNo, last, kept),
      () => this.#truncated(maxSeqNo, last, kept),
    );
  }

  #truncation(maxSeqNo: number, last: number, kept: readonly Commit[]): ClosingPart {
    const dropped = this.#commits.filter((commit) => commit.maxSeqNo > maxSeqNo);
    const keys = keysOfDropped(dropped, kept);
    for (let seqNo = maxSeqNo + 1; seqNo <= last; seqNo++) keys.push(numberedKey('operation', seqNo));
    this.#witnessed = kept.at(-1) ?? null;
    return { operations: keys.map((key) => ({ type: 'del', key })), header: { truncatedTo: maxSeqNo } };
  }

  #truncated(maxSeqNo: number, last: number, kept: readonly Commit[]): void {
    this.#groups.truncated(maxSeqNo);
    this.#commits = kept;
    this.#epochs = upTo(this.#epochs, maxSeqNo);
    this.#verifiedSeqNo = Math.min(this.#verifiedSeqNo, maxSeqNo);
    for (let seqNo = maxSeqNo + 1; seqNo <= last; seqNo++) this.#cached.remove(seqNo);
  }

  head(): PeerHead {
    const { batch, link } = this.#groups.head();
    return { allocationId: this.#identity.allocationId ?? '', chainId: this.#identity.chainId, batch, link };
  }

  notePeer(head: PeerHead): void {
    this.#peers.note(head);
  }

  seenOf(head: PeerHead): PeerHead | undefined {
    return this.#peers.newestOf(head);
  }

  checkSeen(head: PeerHead): void {
    if (Buffer.compare(head.chainId, this.#identity.chainId) !== 0 || head.batch === 0) return;
    const own = this.#groups.head();
    if (head.batch > own.batch)
      throw this.#damage.fail(
        errors.corruption(`the log ends at batch [${own.batch}], but another copy has seen [${head.batch}]`),
        true,
      );
    const link = this.#batches.linkOf(head.batch);
    if (link && Buffer.compare(link, head.link) !== 0)
      throw this.#damage.fail(
        errors.corruption(`batch [${head.batch}] of the log is not the one that another copy has seen`),
        true,
      );
  }

  async forgetPreviousAllocation(): Promise<void> {
    if (this.#identity.previousAllocationId === null) return;
    const identity = { ...this.#identity, previousAllocationId: null };
    await writeIdentity(this.#handle(), identity);
    this.#identity = identity;
  }

  writer(segment: number, madeBy?: Uint8Array | null): SegmentWriter {
    return createSegmentWriter(() => this.#handle(), segment, madeBy);
  }

  mountSegment(segment: number, manifest: Uint8Array): Promise<void> {
    const key = manifestKey(segment);
    return this.#handle().batch([{ type: 'put', key, value: appendChecksum(key, manifest) }], { sync: true });
  }

  segment(segment: number, rootHash: Uint8Array | null): SegmentBytes {
    const store = (): KeyValueStore => this.#reader();
    const released = (): void => void this.#segments.delete(bytes);
    const bytes = this.#guarded(() =>
      openSegmentBytes(store, segment, this.#options.cache, rootHash, (error) => void this.#failed(error), released),
    );
    this.#segments.add(bytes);
    return bytes;
  }

  live(segment: CommittedSegment): Int32Array | null {
    if (segment.deletesGeneration === 0) return null;
    const key = deletesKey(segment.segment, segment.deletesGeneration);
    return this.#guarded(() =>
      wordsOf(verifyRecord(key, this.#handle().get(key), `deletes of segment [${segment.segment}]`)),
    );
  }

  async writeCommit(draft: CommitDraft): Promise<Commit> {
    let built: BuiltCommit & { readonly dropped: readonly Commit[] };
    const written = await this.#close(
      (chainFor) => {
        built = this.#buildCommit(draft, chainFor(draft.maxSeqNo));
        const dels = keysOfDropped(built.dropped, [...this.#commits.slice(built.dropped.length), built.commit]);
        const operations = [...built.operations, ...dels.map((key): BatchOperation => ({ type: 'del', key }))];
        return {
          operations,
          importedSeqNo: draft.maxSeqNo,
          header: { commit: { generation: built.commit.generation, checksum: built.checksum } },
        };
      },
      () => {
        this.#commits = [...this.#commits.filter((commit) => !built.dropped.includes(commit)), built.commit];
        return built.commit;
      },
    );
    this.#trimBatches();
    return written;
  }

  #buildCommit(draft: CommitDraft, chain: ChainPoint): BuiltCommit & { dropped: readonly Commit[] } {
    const epochs = draft.epochs ?? upTo(this.#epochs, draft.maxSeqNo);
    const place = {
      generation: ++this.#lastGeneration,
      chain,
      headersFrom: Math.min(this.#batches.lowestPosition, chain.position),
      epochs,
      atMs: this.#options.clock.now(),
    };
    const built = buildCommit(draft, this.commit, place);
    this.#witnessed = built.commit;
    const kept = keptCommits(
      [...this.#commits, built.commit],
      this.#isAlone ? Number.POSITIVE_INFINITY : this.#globalCheckpoint,
    );
    return { ...built, dropped: this.#commits.slice(0, this.#commits.length + 1 - kept.length) };
  }

  #trimBatches(): void {
    void this.#maintenance.trimBatches(() => oldestBatchNeeded(this.#commits, this.globalCheckpoint));
  }

  trim(seqNos: readonly number[]): Promise<void> {
    for (const seqNo of seqNos) this.#cached.remove(seqNo);
    return this.#maintenance.remove(seqNos.map((seqNo) => numberedKey('operation', seqNo)));
  }

  dropSegment(segment: number): Promise<void> {
    return this.#maintenance.dropSegment(segment);
  }

  hasRoomFor(bytes: number): Promise<boolean> {
    return this.#maintenance.hasRoomFor(bytes);
  }

  whenOthersEnd(ended: () => Promise<void>): void {
    this.#state.othersEnded = ended;
  }

  compact(): Promise<void> {
    return this.#maintenance.compact();
  }

  poison(error: unknown): void {
    this.#state.store.poison(error);
  }

  fail(error: unknown): ApiError {
    return this.#damage.fail(error, isCorruption(error));
  }

  async close(note: unknown = null): Promise<void> {
    if (this.#isClosed) return;
    if (!this.#damage.failure) await this.#groups.synced().catch(() => undefined);
    this.#isClosed = true;
    this.#maintenance.close();
    this.#groups.stop();
    this.#cached.clear();
    this.#options.mounted?.end();
    // Cached chunks refer to the whole shard, which would stay in memory until they are evicted.
    for (const segment of this.#segments) segment.release();
    await this.#maintenance.ended();
    await this.#damage.settled();
    // If a batch is being written when the store fails, wait for it: its success writes the witness, and its failure
    // reopens the store, which is closed below.
    await this.#groups.ended();
    await this.#state.witness.sync().catch(() => undefined);
    this.#state.witness.close();
    await this.#state.store.close();
    if (!this.#damage.failure) await this.#rest(note);
    await this.#options.files.remove(openFlag(this.path));
  }

  /** Writes the description of the closed store. If that fails, the next open verifies the store instead. */
  async #rest(note: unknown): Promise<void> {
    try {
      await writeAtRest(this.#options.files, this.path, this.#groups.head(), { info: storeInfo(this), note });
    } catch (error) {
      this.#options.log.write('debug', 'what a shard store is at rest could not be written', {
        path: this.path,
        'error.message': String(error),
      });
    }
  }
}
