import type { Clock, Files, KeyValueStores, Log, Random } from '@shoal/doors';
import type { ApiError } from '@shoal/errors';
import type { Ballast } from './level/ballast.js';
import type { PeerHead } from './log/batch-header.js';
import type { BlockCache } from './commit/block-cache.js';
import type { Commit, CommittedSegment, RetentionLease, Superseded } from './commit/commit.js';
import type { Epoch } from './log/epochs.js';
import type { Durability } from './commit/group-commit.js';
import type { StoreIdentity, WantedIdentity } from './copy/identity.js';
import type { Operation } from './log/operation.js';
import type { SegmentBytes, SegmentWriter } from './commit/segment-parts.js';

/** What of a store is known to be as another copy has it. */
export interface KeptFiles {
  /** Numbers of whole segments. */
  readonly segments: readonly number[];
  /** Operations below it. */
  readonly operationsBelow: number;
}

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
  /**
   * The store is made anew: of what is there only this stays, until a commit that is written next says what it is good
   * for.
   */
  readonly keeps?: KeptFiles;
  readonly identity?: WantedIdentity;
  /** What `isAlone` is at first; true when absent. */
  readonly isAlone?: boolean;
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
  readonly tombstones: readonly number[];
  readonly leases: readonly RetentionLease[];
  /** The oldest write that may still be asked for again, -1 for none. */
  readonly retriesFrom: number;
  /** Until the next commit every operation from this one on stays. */
  readonly historyFloor: number;
  /** Of a history that another copy wrote; else the log's own. */
  readonly epochs?: readonly Epoch[];
}

/** What one shard copy keeps: its operation log, its segments, its commit points. Used from one thread. */
export interface ShardStore {
  readonly path: string;
  /** The store of chunks, for a worker that merges. */
  readonly location: string;
  readonly identity: StoreIdentity;
  /** The newest commit point. */
  readonly commit: Commit | null;
  /** All that are kept, oldest first: the newest safe one and those after it. */
  readonly commits: readonly Commit[];
  /** Highest operation at open; -1 for an empty store. */
  readonly recoveredSeqNo: number;
  /** Of everything appended. */
  readonly epochs: readonly Epoch[];
  /** Highest term that the copy acts in; durable. */
  readonly currentTerm: number;
  /** Operations up to it are on all in-sync copies. Never falls. While the copy is alone: all that is synced. */
  readonly globalCheckpoint: number;
  /** No other copy is in sync: what is synced here is safe. */
  isAlone: boolean;
  /** Up to where the log is known to be the primary's; noted for those who compare copies. */
  localCheckpoint: number;
  /** Heads that other copies have told of their logs, by allocation id. */
  readonly peers: ReadonlyMap<string, PeerHead>;
  /** Why the store ended, or null. */
  readonly failure: ApiError | null;
  /**
   * Operations above a commit (null: all), up to what was found at open, verified against the chain, in order. Throws
   * corrupt_index_exception.
   */
  replay(from?: Commit | null): AsyncIterable<Operation>;
  /**
   * Takes the next operation (numbers follow without a gap) into the log; `acknowledged` tells when it is durable.
   * Returns its bytes.
   */
  append(operation: Operation): number;
  /** As `append`, of an operation that `decodeReceived` read from `value`. */
  appendReceived(operation: Operation, value: Uint8Array): number;
  acknowledged(): Promise<void>;
  synced(): Promise<void>;
  setDurability(durability: Durability): void;
  persistedSeqNo(): number;
  /** Called with the highest synced operation after each sync. */
  onPersisted: ((seqNo: number) => void) | null;
  /**
   * The operation, or undefined when there is none of that number. Blocks. Throws corrupt_index_exception when damaged.
   */
  operation(seqNo: number): Operation | undefined;
  /** The operation as stored, verified; from memory while it is kept there. */
  record(seqNo: number): Uint8Array | undefined;
  /**
   * Records from `fromSeqNo` on are about to be asked for: as many of the newest as fit stay in memory when they are
   * synced. Infinite for none.
   */
  keepRecords(fromSeqNo: number): void;
  /** Operations found in the store from `from` to `to`, those that were removed left out. */
  records(from: number, to: number): AsyncIterable<readonly [seqNo: number, value: Uint8Array]>;
  /**
   * Records of another copy from before a commit that is written next, and the numbers of those here that it has no
   * more.
   */
  importRecords(
    records: readonly (readonly [seqNo: number, value: Uint8Array])[],
    removed?: readonly number[],
  ): Promise<void>;
  /** Acts in a higher term from now on; resolves when that survives a crash. */
  beginTerm(term: number): Promise<void>;
  /**
   * Raises the global checkpoint. True when that made commits superfluous: they are removed, and `commits` is shorter.
   */
  setGlobalCheckpoint(seqNo: number): boolean;
  /**
   * Removes all operations above `maxSeqNo` with the commits that hold them. Everything appended has to be synced,
   * nothing may be appended meanwhile.
   */
  truncate(maxSeqNo: number): Promise<void>;
  /** Where this copy's chain stands. */
  head(): PeerHead;
  /** Notes another copy's head; it becomes durable with the next batch. */
  notePeer(head: PeerHead): void;
  /** The newest that this copy has seen of the log that a head is of, whatever the assignment was by then. */
  seenOf(head: PeerHead): PeerHead | undefined;
  /** Ends the store when its log is not the one that another copy has seen. */
  checkSeen(head: PeerHead): void;
  /** The copy is whole under its allocation id, or its data are about to go. */
  forgetPreviousAllocation(): Promise<void>;
  /** `madeBy` is that of the original where a segment of another copy is written. */
  writer(segment: number, madeBy?: Uint8Array | null): SegmentWriter;
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
  /** Closes the store; `note` (JSON) is what is told of the copy until it is opened again. */
  close(note?: unknown): Promise<void>;
}
