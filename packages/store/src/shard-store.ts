import { decodeValue, encodeValue } from '@shoal/codec';
import type { BatchOperation, Clock, Files, KeyValueStore, KeyValueStores, Log, Random } from '@shoal/doors';
import { type ApiError, errors, isApiError } from '@shoal/errors';
import type { Ballast } from './ballast.js';
import { FIRST_LINK, linkOf } from './batch-header.js';
import type { BlockCache } from './block-cache.js';
import { checksumOf, opened, sealed } from './checksum.js';
import { type Commit, type CommittedSegment, decodeCommit, encodeCommit, type Superseded } from './commit.js';
import { createDamageRecord, type DamageRecord, refuseMarked } from './damage.js';
import { type ChainHead, createGroupCommit, type Durability, type GroupCommit } from './group-commit.js';
import { deletesKey, IDENTITY_KEY, numberedKey, numberedRange, numberOfKey, segmentOfKey, segmentRange, segmentsFrom, WHOLE_STORE } from './keys.js';
import { decodeOperation, encodeOperation, type Operation } from './operation.js';
import { createOperationCache, type OperationCache } from './operation-cache.js';
import { createSegmentWriter, keysOfSegment, openSegmentBytes, type SegmentBytes, type SegmentWriter } from './segment-parts.js';
import { poisonable, type PoisonableStore } from './poisonable-store.js';
import { verifyTables } from './verify-tables.js';
import { type VerifiedChain, verifyChain } from './verify-chain.js';
import { openWitness, type Witness, type WitnessFile } from './witness.js';

const WITNESS_SYNC_MS = 1000;
const DELETE_BATCH_KEYS = 2000;
/** A second failed write within this time ends the store. */
const RETRY_WINDOW_MS = 60_000;
/** Stores up to this size have all their tables checked at each open: 0.2 s. */
const ALWAYS_VERIFIED_BYTES = 128 * 1024 * 1024;
const COMPACT_BYTES_MIN = 4 * 1024 * 1024;
/** Kept free by merges and compactions for the writes beside them. */
const RESERVE_BYTES = 16 * 1024 * 1024;

export interface ShardStoreOptions {
  readonly stores: KeyValueStores;
  readonly files: Files;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly cache: BlockCache;
  /** Folder of the copy: the store is `db` in it, beside `witness` and `marker`. */
  readonly path: string;
  readonly ballast?: Ballast;
  /** Called once, when the store ends because of an error. */
  readonly onFailure?: (error: ApiError) => void;
}

/** One segment of a commit to be: `live` is written when its deletes changed since the last commit. */
export interface SegmentDraft {
  readonly segment: number;
  readonly maxDoc: number;
  readonly byteSize: number;
  readonly rootHash: Uint8Array;
  readonly deletedDocs: number;
  readonly live: { readonly words: Int32Array; readonly isChanged: boolean } | null;
}

export interface CommitDraft {
  readonly segments: readonly SegmentDraft[];
  readonly maxSeqNo: number;
  readonly primaryTerm: number;
  readonly nextSegment: number;
  readonly superseded: readonly Superseded[];
}

/** What one shard copy keeps: its operation log, its segments, its commit points. Used from one thread. */
export interface ShardStore {
  readonly path: string;
  /** The store of chunks, for a worker that merges. */
  readonly location: string;
  /** The newest commit point. */
  readonly commit: Commit | null;
  /** Highest operation at open; -1 for an empty store. */
  readonly recoveredSeqNo: number;
  readonly historyUuid: string;
  /** Why the store ended, or null. */
  readonly failure: ApiError | null;
  /** Operations above the commit, verified against the chain, in order. Throws corrupt_index_exception. */
  replay(): AsyncIterable<Operation>;
  /** Takes the next operation (numbers follow without a gap) into the log; `acknowledged` tells when it is durable. Returns its bytes. */
  append(operation: Operation): number;
  acknowledged(): Promise<void>;
  synced(): Promise<void>;
  setDurability(durability: Durability): void;
  persistedSeqNo(): number;
  /** The operation, or undefined when there is none of that number. Blocks. Throws corrupt_index_exception when damaged. */
  operation(seqNo: number): Operation | undefined;
  writer(segment: number): SegmentWriter;
  segment(segment: number, rootHash: Uint8Array | null): SegmentBytes;
  /** Words of the live documents as of a commit. */
  live(segment: CommittedSegment): Int32Array | null;
  /** Writes a commit point behind all that was appended so far. */
  writeCommit(draft: CommitDraft): Promise<Commit>;
  /** Removes operations that nobody needs. */
  trim(seqNos: readonly number[]): Promise<void>;
  dropSegment(segment: number): Promise<void>;
  /** Moves what was written last out of LevelDB's log, and gives back the space of headers that are gone. */
  compact(): Promise<void>;
  /**
   * Whether so many bytes can be written and leave room for other writes. What is not urgent asks first: it must not be
   * the one that fills the disk.
   */
  hasRoomFor(bytes: number): Promise<boolean>;
  /** `ended` resolves when no other handle of the store is open: all have to be closed before it can be opened anew. */
  whenOthersEnd(ended: () => Promise<void>): void;
  /** Bytes of the store on disk, about. */
  sizeInBytes(): Promise<number>;
  /** A write through another handle failed: this one is reopened before it is written again. */
  poison(error: unknown): void;
  /** Ends the store after an error found outside. */
  fail(error: unknown): ApiError;
  close(): Promise<void>;
}

interface Identity {
  readonly chainId: Uint8Array;
  readonly historyUuid: string;
}

/** Everything that was found and verified at open. */
interface Opened {
  store: PoisonableStore;
  othersEnded: () => Promise<void>;
  readonly witness: WitnessFile;
  readonly identity: Identity;
  readonly commit: Commit | null;
  readonly chain: VerifiedChain;
}

const isCorruption = (error: unknown): boolean => isApiError(error) && error.type === 'corrupt_index_exception';

/** LevelDB's own finding of damage as ours; other errors stay what they are. */
function asStoreError(error: unknown): unknown {
  if (isApiError(error)) return error;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const message = cause instanceof Error ? cause.message : String(cause);
  return /corrupt|missing files|checksum|not an sstable|bad (block|entry|record)/i.test(message) ? errors.corruption(message) : errors.ioError(message);
}

async function createIdentity(options: ShardStoreOptions, store: KeyValueStore, witness: WitnessFile): Promise<Identity> {
  const identity = { chainId: options.random.bytes(16), historyUuid: Buffer.from(options.random.bytes(16)).toString('base64url') };
  witness.write({ chainId: identity.chainId, batch: 0, link: FIRST_LINK, generation: 0 });
  await witness.sync();
  const content = encodeValue({ format: 1, chainId: identity.chainId, historyUuid: identity.historyUuid });
  await store.batch([{ type: 'put', key: IDENTITY_KEY, value: sealed(IDENTITY_KEY, content) }], { sync: true });
  return identity;
}

function readIdentity(value: Uint8Array): Identity {
  const { chainId, historyUuid } = decodeValue(opened(IDENTITY_KEY, value, 'identity of the store')) as unknown as Identity;
  return { chainId: chainId.slice(), historyUuid };
}

async function hasEntries(store: KeyValueStore): Promise<boolean> {
  for await (const _ of store.entries({ ...WHOLE_STORE, limit: 1 })) return true;
  return false;
}

async function identify(options: ShardStoreOptions, store: KeyValueStore, witness: WitnessFile): Promise<{ identity: Identity; seen: Witness }> {
  const seen = witness.read();
  const value = store.get(IDENTITY_KEY);
  if (value === undefined) {
    const isNew = (seen === null || seen.batch === 0) && !(await hasEntries(store));
    if (!isNew) throw errors.corruption('identity of the store is missing');
    const identity = await createIdentity(options, store, witness);
    return { identity, seen: { chainId: identity.chainId, batch: 0, link: FIRST_LINK, generation: 0 } };
  }
  const identity = readIdentity(value);
  if (seen === null) throw errors.corruption('the witness of the log is missing');
  if (seen.batch >= 0 && Buffer.compare(seen.chainId, identity.chainId) !== 0) throw errors.corruption('the witness belongs to another store');
  return { identity, seen };
}

async function newestCommit(store: KeyValueStore): Promise<{ commit: Commit | null; checksum: number }> {
  for await (const [key, value] of store.entries({ ...numberedRange('commit', 0), reverse: true, limit: 1 })) {
    const content = opened(key, value, `commit point [${numberOfKey(key)}]`);
    return { commit: decodeCommit(content), checksum: checksumOf(key, content) };
  }
  return { commit: null, checksum: 0 };
}

async function removeKeys(store: KeyValueStore, keys: readonly Uint8Array[]): Promise<void> {
  for (let i = 0; i < keys.length; i += DELETE_BATCH_KEYS) {
    const operations: BatchOperation[] = keys.slice(i, i + DELETE_BATCH_KEYS).map((key) => ({ type: 'del', key }));
    await store.batch(operations, { sync: true });
  }
}

/** Removes what an interrupted merge, flush or trim left behind. */
async function removeLeftovers(store: KeyValueStore, commit: Commit | null): Promise<void> {
  const known = new Set(commit?.segments.map((segment) => segment.segment));
  for (let from = 0; ; ) {
    let found = -1;
    for await (const [key] of store.entries({ ...segmentsFrom(from), limit: 1 })) found = segmentOfKey(key);
    if (found < 0) break;
    if (!known.has(found)) {
      const keys: Uint8Array[] = [];
      for await (const [key] of store.entries(segmentRange(found))) keys.push(key);
      await removeKeys(store, keys);
    }
    from = found + 1;
  }
  const stale: Uint8Array[] = [];
  for await (const [key] of store.entries({ gte: numberedKey('batch', 0), lt: numberedKey('batch', commit?.chainStart ?? 0) })) stale.push(key);
  await removeKeys(store, stale);
}

/** Present while a process has the store open: found at open, that process did not come to its end. */
const openFlag = (path: string): string => `${path}/open`;

/** A large store is checked only after its process ended badly, which is also how a damaged block ends one. */
async function mustVerifyTables(options: ShardStoreOptions): Promise<boolean> {
  const endedBadly = (await options.files.read(openFlag(options.path))) !== null;
  return endedBadly || (await options.files.folderSize(`${options.path}/db`)) <= ALWAYS_VERIFIED_BYTES;
}

async function openVerified(options: ShardStoreOptions): Promise<Opened> {
  const witness = await openWitness(options.files, `${options.path}/witness`);
  let store: PoisonableStore | null = null;
  try {
    if (await mustVerifyTables(options)) await verifyTables(options.files, `${options.path}/db`);
    store = poisonable(await options.stores.open(`${options.path}/db`));
    const { identity, seen } = await identify(options, store, witness);
    const { commit, checksum } = await newestCommit(store);
    const chain = await verifyChain(store, commit, checksum, seen);
    await removeLeftovers(store, commit);
    (await options.files.open(openFlag(options.path))).close();
    return { store, othersEnded: async () => undefined, witness, identity, commit, chain };
  } catch (error) {
    witness.close();
    await store?.close();
    throw asStoreError(error);
  }
}

async function* replayVerified(context: { store(): KeyValueStore; commit: Commit | null; chain: VerifiedChain }): AsyncIterable<Operation> {
  const { chain } = context;
  let seqNo = (context.commit?.maxSeqNo ?? -1) + 1;
  const first = seqNo;
  for await (const [key, value] of context.store().entries(numberedRange('operation', seqNo))) {
    if (numberOfKey(key) !== seqNo) throw errors.corruption(`operation [${seqNo}] is missing`);
    const operation = decodeOperation(seqNo, key, value);
    if (checksumOf(key, value.subarray(0, value.length - 4)) !== chain.checksums[seqNo - first]) {
      throw errors.corruption(`operation [${seqNo}] is not the one that was written`);
    }
    yield operation;
    seqNo++;
  }
  if (seqNo !== chain.maxSeqNo + 1) throw errors.corruption(`operation [${seqNo}] is missing`);
}

/** The commit as written, with what its batch has to put and remove. */
function commitOperations(draft: CommitDraft, previous: Commit | null, generation: number, chain: { start: number; link: Uint8Array }, atMs: number) {
  const operations: BatchOperation[] = [];
  const deletesBefore = new Map(previous?.segments.map((segment) => [segment.segment, segment.deletesGeneration]));
  const segments = draft.segments.map((segment): CommittedSegment => {
    const { segment: number, maxDoc, byteSize, rootHash, deletedDocs, live } = segment;
    if (live === null) return { segment: number, maxDoc, byteSize, rootHash, deletedDocs, deletesGeneration: 0 };
    const before = deletesBefore.get(number);
    if (!live.isChanged && before) {
      deletesBefore.delete(number);
      return { segment: number, maxDoc, byteSize, rootHash, deletedDocs, deletesGeneration: before };
    }
    const key = deletesKey(number, generation);
    const bytes = new Uint8Array(live.words.buffer, live.words.byteOffset, live.words.byteLength);
    operations.push({ type: 'put', key, value: sealed(key, bytes) });
    return { segment: number, maxDoc, byteSize, rootHash, deletedDocs, deletesGeneration: generation };
  });
  for (const [segment, before] of deletesBefore) if (before) operations.push({ type: 'del', key: deletesKey(segment, before) });
  const commit: Commit = {
    generation,
    segments,
    maxSeqNo: draft.maxSeqNo,
    primaryTerm: draft.primaryTerm,
    nextSegment: draft.nextSegment,
    chainStart: chain.start,
    chainLink: chain.link,
    superseded: draft.superseded,
    atMs,
  };
  const key = numberedKey('commit', generation);
  const content = encodeCommit(commit);
  operations.push({ type: 'put', key, value: sealed(key, content) });
  if (previous) operations.push({ type: 'del', key: numberedKey('commit', previous.generation) });
  return { commit, operations, checksum: checksumOf(key, content) };
}

function wordsOf(bytes: Uint8Array): Int32Array {
  return new Int32Array(new Uint8Array(bytes).buffer);
}

/** Recovery from a failed write: the handle is never used again, the store is reopened and checked. */
function createRecovery(options: ShardStoreOptions, state: { store: PoisonableStore; othersEnded: () => Promise<void> }, damage: DamageRecord) {
  let lastRecoveryMs = -Infinity;
  return async (error: unknown, headerKey: Uint8Array, header: Uint8Array, before: ChainHead): Promise<boolean> => {
    const now = options.clock.monotonic();
    const message = String((asStoreError(error) as Error).message);
    const isSpace = /no space|disk quota|ENOSPC/i.test(message);
    if (!isSpace || now - lastRecoveryMs < RETRY_WINDOW_MS) throw asStoreError(error);
    lastRecoveryMs = now;
    options.log.write('warn', 'write to a shard store failed, reopening it', { path: options.path, 'error.message': message });
    await options.ballast?.drop();
    await state.store.close();
    // Handles of one process share one LevelDB, which lives until the last of them is closed.
    await state.othersEnded();
    state.store = poisonable(await options.stores.open(`${options.path}/db`));
    const written = state.store.get(headerKey);
    if (written) {
      if (Buffer.compare(written, header) !== 0) throw errors.corruption('the last batch is not the one that was written');
      return true;
    }
    const last = before.batch === 0 ? undefined : state.store.get(numberedKey('batch', before.batch));
    if (before.batch > 0 && (!last || Buffer.compare(linkOf(last), before.link) !== 0)) {
      throw damage.fail(errors.corruption(`batch [${before.batch}] of the log was lost`), true);
    }
    return false;
  };
}

function createWitnessing(options: ShardStoreOptions, state: Opened, generation: () => number) {
  let isScheduled = false;
  return (head: ChainHead): void => {
    state.witness.write({ chainId: state.identity.chainId, batch: head.batch, link: head.link, generation: generation() });
    if (isScheduled) return;
    isScheduled = true;
    options.clock.after(WITNESS_SYNC_MS, () => {
      isScheduled = false;
      state.witness.sync().catch((error) => options.log.write('warn', 'witness could not be synced', { path: options.path, 'error.message': String(error) }));
    });
  };
}

class ChainedShardStore implements ShardStore {
  readonly #options: ShardStoreOptions;
  readonly #state: Opened;
  readonly #damage: DamageRecord;
  readonly #groups: GroupCommit;
  readonly #cached: OperationCache;
  #commit: Commit | null;
  /** The commit that the next witness names: built, and in its batch. */
  #witnessed: Commit | null;
  #oldestBatch: number;
  #maintenance: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(options: ShardStoreOptions, state: Opened, damage: DamageRecord) {
    this.#options = options;
    this.#state = state;
    this.#damage = damage;
    this.#cached = createOperationCache(options.cache);
    this.#commit = state.commit;
    this.#witnessed = state.commit;
    this.#oldestBatch = state.commit?.chainStart ?? 1;
    this.#groups = createGroupCommit({
      clock: options.clock,
      head: state.chain.head,
      recent: state.chain.recent,
      maxSeqNo: state.chain.maxSeqNo,
      store: () => this.#handle(),
      witness: createWitnessing(options, state, () => this.#witnessed?.generation ?? 0),
      recover: createRecovery(options, state, damage),
      failed: (error) => damage.fail(asStoreError(error), isCorruption(asStoreError(error))),
    });
  }

  get path(): string {
    return this.#options.path;
  }

  get location(): string {
    return `${this.#options.path}/db`;
  }

  get commit(): Commit | null {
    return this.#commit;
  }

  get recoveredSeqNo(): number {
    return this.#state.chain.maxSeqNo;
  }

  get historyUuid(): string {
    return this.#state.identity.historyUuid;
  }

  get failure(): ApiError | null {
    return this.#damage.failure;
  }

  #handle(): KeyValueStore {
    this.#damage.check();
    return this.#state.store;
  }

  /** Runs a read; damage that it finds ends the store. */
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

  async *replay(): AsyncIterable<Operation> {
    try {
      yield* replayVerified({ store: () => this.#handle(), commit: this.#commit, chain: this.#state.chain });
    } catch (error) {
      throw this.#failed(error);
    }
  }

  append(operation: Operation): number {
    const record = encodeOperation(operation);
    this.#groups.append(record);
    return record.value.length;
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
    const value = this.#handle().get(key);
    if (value === undefined) return undefined;
    const operation = decodeOperation(seqNo, key, value);
    this.#cached.put(operation, value);
    return operation;
  }

  writer(segment: number): SegmentWriter {
    return createSegmentWriter(() => this.#handle(), segment);
  }

  segment(segment: number, rootHash: Uint8Array | null): SegmentBytes {
    const store = (): KeyValueStore => this.#handle();
    return this.#guarded(() => openSegmentBytes(store, segment, this.#options.cache, rootHash, (error) => void this.#failed(error)));
  }

  live(segment: CommittedSegment): Int32Array | null {
    if (segment.deletesGeneration === 0) return null;
    const key = deletesKey(segment.segment, segment.deletesGeneration);
    return this.#guarded(() => wordsOf(opened(key, this.#handle().get(key), `deletes of segment [${segment.segment}]`)));
  }

  async writeCommit(draft: CommitDraft): Promise<Commit> {
    const written = await new Promise<Commit>((resolve, reject) => {
      let built: ReturnType<typeof commitOperations>;
      this.#groups.commit({
        maxSeqNo: draft.maxSeqNo,
        build: (_batch, chain) => {
          built = commitOperations(draft, this.#commit, (this.#commit?.generation ?? 0) + 1, chain, this.#options.clock.now());
          this.#witnessed = built.commit;
          return { operations: built.operations, generation: built.commit.generation, checksum: built.checksum };
        },
        done: (error) => {
          if (error !== undefined) return reject(error);
          this.#commit = built.commit;
          resolve(built.commit);
        },
      });
    });
    void this.#maintain(() => this.#trimBatches());
    return written;
  }

  /** Removals run one after the other and never fail their caller: what they leave is removed at the next open. */
  #maintain(work: () => Promise<void>): Promise<void> {
    const next = this.#maintenance.then(work).catch((error) => {
      if (this.#isClosed) return;
      this.#options.log.write('warn', 'removal from a shard store failed', { path: this.path, 'error.message': String(error) });
    });
    this.#maintenance = next;
    return next;
  }

  #trimBatches(): Promise<void> {
    const until = this.#commit?.chainStart ?? 1;
    const keys: Uint8Array[] = [];
    for (; this.#oldestBatch < until; this.#oldestBatch++) keys.push(numberedKey('batch', this.#oldestBatch));
    return removeKeys(this.#handle(), keys);
  }

  trim(seqNos: readonly number[]): Promise<void> {
    for (const seqNo of seqNos) this.#cached.remove(seqNo);
    return this.#maintain(() => removeKeys(this.#handle(), seqNos.map((seqNo) => numberedKey('operation', seqNo))));
  }

  dropSegment(segment: number): Promise<void> {
    return this.#maintain(async () => {
      const size = await this.#handle().sizeOf(segmentRange(segment));
      await removeKeys(this.#handle(), await keysOfSegment(this.#handle(), segment));
      // LevelDB 1.20 may end the process when the disk runs full under a compaction of a range.
      if (size >= COMPACT_BYTES_MIN && (await this.hasRoomFor(size))) await this.#handle().compact(segmentRange(segment));
    });
  }

  async hasRoomFor(bytes: number): Promise<boolean> {
    return (await this.#options.files.freeBytes(this.path)) >= bytes + RESERVE_BYTES;
  }

  whenOthersEnd(ended: () => Promise<void>): void {
    this.#state.othersEnded = ended;
  }

  async sizeInBytes(): Promise<number> {
    const [inFiles, inStore] = await Promise.all([this.#options.files.folderSize(this.path), this.#handle().sizeOf(WHOLE_STORE)]);
    return Math.max(inFiles, inStore);
  }

  compact(): Promise<void> {
    return this.#maintain(async () => {
      const range = { gte: numberedKey('batch', 0), lt: numberedKey('batch', this.#oldestBatch) };
      if (await this.hasRoomFor(await this.#handle().sizeOf(range))) await this.#handle().compact(range);
    });
  }

  poison(error: unknown): void {
    this.#state.store.poison(error);
  }

  fail(error: unknown): ApiError {
    return this.#damage.fail(error, isCorruption(error));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    if (!this.#damage.failure) await this.#groups.synced().catch(() => undefined);
    this.#isClosed = true;
    this.#groups.close();
    this.#cached.clear();
    await this.#maintenance;
    await this.#damage.settled();
    // A batch that is in flight when the store fails still has to be witnessed, or the store to be closed that its failure reopens.
    await this.#groups.ended();
    await this.#state.witness.sync().catch(() => undefined);
    this.#state.witness.close();
    await this.#state.store.close();
    await this.#options.files.remove(openFlag(this.path));
  }
}

/**
 * Opens the store of one shard copy, creating it when the folder is new, and verifies its log against its witness
 * (cluster.md §6.4-6.5). Throws corrupt_index_exception and leaves a marker when anything acknowledged is missing or
 * changed: such a copy is never opened as if it were whole.
 */
export async function openShardStore(options: ShardStoreOptions): Promise<ShardStore> {
  await refuseMarked(options.files, options.path);
  const damage = createDamageRecord(options.files, options.log, options.path, () => options.clock.now(), options.onFailure ?? (() => undefined));
  try {
    return new ChainedShardStore(options, await openVerified(options), damage);
  } catch (error) {
    damage.fail(error, isCorruption(error));
    await damage.settled();
    throw error;
  }
}

