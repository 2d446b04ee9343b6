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
import type { MountedFiles } from './mounted/mounted-files.js';
import type { SegmentBytes, SegmentWriter } from './commit/segment-parts.js';

/** Parts of a store that are known to be equal to those of the copy from which the store is recovered. */
export interface KeptFiles {
  /** Numbers of the segments that are complete. */
  readonly segments: readonly number[];
  /** All operations with lower numbers are kept. */
  readonly operationsBelow: number;
}

/** Doors, folder and identity of a store to open. */
export interface ShardStoreOptions {
  readonly stores: KeyValueStores;
  readonly files: Files;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly cache: BlockCache;
  /** Folder of the copy, with the key-value store `db` and the files `witness` and `marker`. */
  readonly path: string;
  readonly ballast?: Ballast;
  /**
   * Starts the store anew and keeps only this of its content. If no commit point that is written next refers to a kept
   * part, the next open removes that part.
   */
  readonly keeps?: KeptFiles;
  readonly identity?: WantedIdentity;
  /** Initial value of `ShardStore.isAlone`; true by default. */
  readonly isAlone?: boolean;
  /** Files of a snapshot that the store reads; only for a mounted copy. */
  readonly mounted?: MountedFiles | undefined;
  /** Whether this process has filled and closed the store just now: its tables are not read again to be verified. */
  readonly isJustFilled?: boolean | undefined;
  /** Called once, when the store fails. */
  readonly onFailure?: (error: ApiError) => void;
}

/** One segment of a commit point to write. `live` is written if it changed since the last commit; null: no deletes. */
export interface SegmentDraft {
  readonly segment: number;
  readonly maxDoc: number;
  readonly byteSize: number;
  readonly rootHash: Uint8Array;
  readonly deletedDocs: number;
  readonly live: { readonly words: Int32Array; readonly isChanged: boolean } | null;
}

/** Content of a commit point to write. */
export interface CommitDraft {
  readonly segments: readonly SegmentDraft[];
  readonly maxSeqNo: number;
  readonly primaryTerm: number;
  readonly nextSegment: number;
  readonly superseded: readonly Superseded[];
  readonly tombstones: readonly number[];
  readonly leases: readonly RetentionLease[];
  /** Number of the oldest operation that a client may still retry; -1 if there is none. */
  readonly retriesFrom: number;
  /** The log keeps every operation from this number on until the next commit. */
  readonly historyFloor: number;
  /** Epochs of a history that another copy wrote; by default those of this log. */
  readonly epochs?: readonly Epoch[];
}

/** Durable data of one shard copy: operation log, segments, commit points. Used from one thread. */
export interface ShardStore {
  readonly path: string;
  /** Folder of the key-value store, which a merge worker opens by a second handle. */
  readonly location: string;
  readonly identity: StoreIdentity;
  /** The newest commit point. */
  readonly commit: Commit | null;
  /** The commit points that are kept, oldest first: the newest safe one and all after it. */
  readonly commits: readonly Commit[];
  /** Number of the last operation at open; -1 if the store was empty. */
  readonly recoveredSeqNo: number;
  /** Epochs of all operations that were appended. */
  readonly epochs: readonly Epoch[];
  /** Highest primary term in which the copy has acted; durable. */
  readonly currentTerm: number;
  /**
   * All in-sync copies have the operations up to this number. Never falls. While `isAlone`: the last synced operation.
   */
  readonly globalCheckpoint: number;
  /** Whether this is the only in-sync copy, so that an operation is safe once it is synced here. */
  isAlone: boolean;
  /** The log equals the primary's up to this number. Stored in batch headers, for comparing copies. */
  localCheckpoint: number;
  /** Last batch of the log of each other copy, as far as that copy has reported it; by allocation id. */
  readonly peers: ReadonlyMap<string, PeerHead>;
  /** Error that ended the store, or null. */
  readonly failure: ApiError | null;
  /**
   * Operations after a commit point (null: all) in order, each verified against the chain. Throws
   * corrupt_index_exception if one is missing or changed.
   */
  replay(from?: Commit | null): AsyncIterable<Operation>;
  /**
   * Appends the next operation to the log and returns its size in bytes. Numbers follow without a gap. `acknowledged`
   * resolves when the operation is durable.
   */
  append(operation: Operation): number;
  /** As `append`, for an operation that `decodeReceived` has decoded from `value`. */
  appendReceived(operation: Operation, value: Uint8Array): number;
  /** Resolves when all appended operations are as durable as `setDurability` demands. */
  acknowledged(): Promise<void>;
  /** Resolves when all appended operations are synced. */
  synced(): Promise<void>;
  setDurability(durability: Durability): void;
  /** Number of the last synced operation; -1 if there is none. */
  persistedSeqNo(): number;
  /** Called after each sync with the number of the last synced operation. */
  onPersisted: ((seqNo: number) => void) | null;
  /**
   * Operation of a number, or undefined if the log has none. Blocks. Throws corrupt_index_exception if it is damaged.
   */
  operation(seqNo: number): Operation | undefined;
  /**
   * Record of an operation as it is stored, verified; undefined if the log has none. Recent records come from memory.
   */
  record(seqNo: number): Uint8Array | undefined;
  /**
   * Keeps records from `fromSeqNo` on in memory when they are synced, as many of the newest as fit, because they will
   * be read soon. Infinity: none.
   */
  keepRecords(fromSeqNo: number): void;
  /** Records of the operations `from` … `to` (inclusive) that are in the store; trimmed operations are missing. */
  records(from: number, to: number): AsyncIterable<readonly [seqNo: number, value: Uint8Array]>;
  /**
   * Writes records of another copy that precede the commit point which is written next, and removes those of this store
   * that the other copy has trimmed.
   */
  importRecords(
    records: readonly (readonly [seqNo: number, value: Uint8Array])[],
    removed?: readonly number[],
  ): Promise<void>;
  /** Raises the current term; resolves when the term survives a crash. */
  beginTerm(term: number): Promise<void>;
  /**
   * Raises the global checkpoint. Returns true if older commit points became superfluous; they are removed from
   * `commits`.
   */
  setGlobalCheckpoint(seqNo: number): boolean;
  /**
   * Removes all operations above `maxSeqNo`, and the commit points that contain them. All appended operations must be
   * synced, and none may be appended until it resolves.
   */
  truncate(maxSeqNo: number): Promise<void>;
  /** Last batch of this copy's log. */
  head(): PeerHead;
  /** Records the last batch of another copy's log; durable with the next batch. */
  notePeer(head: PeerHead): void;
  /** The newest head that this copy has seen of the log of `head`, under any allocation id. */
  seenOf(head: PeerHead): PeerHead | undefined;
  /**
   * Compares this log with the head of it that another copy has seen; if they contradict, fails the store and throws. A
   * guard against a disk that goes back in time: n1 writes batches 1 to 20 and reports 20 to n2. The disk of n1 is
   * restored from an image with batches 1 to 18 and their witness, and the store opens without an error. n2 still has
   * seen batch 20, so n1 has lost acknowledged operations.
   */
  checkSeen(head: PeerHead): void;
  /** Forgets the previous allocation id: the copy is complete under its current one, or is about to be deleted. */
  forgetPreviousAllocation(): Promise<void>;
  /** Opens a writer for a new segment. For a segment copied from another copy, `madeBy` is that of the original. */
  writer(segment: number, madeBy?: Uint8Array | null): SegmentWriter;
  /** Writes the manifest of a segment whose chunks come later, from the files of a snapshot. */
  mountSegment(segment: number, manifest: Uint8Array): Promise<void>;
  segment(segment: number, rootHash: Uint8Array | null): SegmentBytes;
  /** Live docs of a committed segment as words of bits; null if it has no deletes. */
  live(segment: CommittedSegment): Int32Array | null;
  /** Writes a commit point after all operations that were appended so far. */
  writeCommit(draft: CommitDraft): Promise<Commit>;
  /** Removes operations that are not needed any more. */
  trim(seqNos: readonly number[]): Promise<void>;
  dropSegment(segment: number): Promise<void>;
  /** Compacts: moves recent writes out of LevelDB's log file, and frees the space of removed batch headers. */
  compact(): Promise<void>;
  /**
   * Whether the disk has room for `bytes` bytes and a reserve for other writes. Merges and compactions check it first,
   * so that they do not fill the disk.
   */
  hasRoomFor(bytes: number): Promise<boolean>;
  /** `ended` must resolve when no other handle of the store is open: LevelDB can be reopened only then. */
  whenOthersEnd(ended: () => Promise<void>): void;
  /** Approximate bytes of the store on disk. */
  sizeInBytes(): Promise<number>;
  /** Reports a failed write through another handle: this handle is reopened before its next write. */
  poison(error: unknown): void;
  /** Fails the store because of an error that its user found; returns the error that ended the store. */
  fail(error: unknown): ApiError;
  /** Closes the store. `note` (JSON) is stored beside it and can be read without opening the store. */
  close(note?: unknown): Promise<void>;
}
