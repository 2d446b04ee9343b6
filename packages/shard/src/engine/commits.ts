import type { BitSet } from '@shoal/segments';
import type { Commit, CommitDraft, SegmentDraft } from '@shoal/store';
import type { PinnedCommit } from '../shard-api.js';
import type { Engine } from './engine.js';
import type { SealedPart } from './part.js';
import type { Searchers } from './searchers.js';

/** Limit on the operations that one trim removes; the rest is removed after the next commit. */
const TRIM_OPERATIONS_MAX = 100_000;

function segmentDraft(part: SealedPart, maxSeqNo: number): { readonly draft: SegmentDraft; readonly changes: number } {
  const { live, isEarlier } = part.liveAsOf(maxSeqNo);
  const { segment, maxDoc, byteSize, rootHash } = part;
  const isChanged = isEarlier || part.changes !== part.committedChanges || !part.isCommitted;
  const draft = {
    segment,
    maxDoc,
    byteSize,
    rootHash,
    deletedDocs: isEarlier ? deletedIn(live!, maxDoc) : part.deletedDocs,
    live: live === null ? null : { words: live.words, isChanged },
  };
  // Deletes above `maxSeqNo` are not in this draft: -1 makes the next commit write the live bits again.
  return { draft, changes: isEarlier ? -1 : part.changes };
}

const deletedIn = (live: BitSet, maxDoc: number): number => maxDoc - live.cardinality();

/**
 * Returns the lowest operation that a copy with a lease or a repeated write may still ask for. Superseded operations
 * below it may be removed.
 */
function retentionFloor(engine: Engine): number {
  return engine.leases.reduce((floor, lease) => Math.min(floor, lease.retainedSeqNo), engine.firstRepeatable);
}

function draftOf(engine: Engine, segments: readonly SegmentDraft[], maxSeqNo: number): CommitDraft {
  engine.expire();
  const firstRetry = engine.firstRepeatable;
  return {
    segments,
    maxSeqNo,
    primaryTerm: Math.max(engine.primaryTerm, engine.store.currentTerm),
    nextSegment: engine.nextSegment,
    // Computed now, not when the store writes the draft. Operations appended behind the draft in the log's queue may be
    // lost in a crash. Replay supersedes operations above `maxSeqNo` anew.
    superseded: engine.superseded.filter(({ by }) => by <= maxSeqNo),
    tombstones: engine.tombstones.seqNos(maxSeqNo),
    leases: engine.leases,
    retriesFrom: firstRetry <= maxSeqNo ? firstRetry : -1,
    historyFloor: Math.max(engine.historyFloor, Math.min(maxSeqNo + 1, retentionFloor(engine))),
  };
}

/** Removes operations from the log that no commit, searcher, replay or copy needs any more. */
function trim(engine: Engine, searchers: Searchers): void {
  const { store, superseded } = engine;
  const safe = store.commits[0];
  if (!safe || safe.maxSeqNo > store.globalCheckpoint) return;
  const limit = Math.min(safe.maxSeqNo, searchers.unpinnedSeqNo(), ...engine.pins.values());
  // Also bounded by the history floor of the safe commit: this commit survives every rollback, and the next open reads
  // its floor.
  const floor = Math.min(retentionFloor(engine), safe.historyFloor);
  const removable: number[] = [];
  const kept = superseded.filter(({ seqNo, by }) => {
    if (by > limit || seqNo >= floor || removable.length >= TRIM_OPERATIONS_MAX) return true;
    removable.push(seqNo);
    return false;
  });
  if (removable.length === 0) return;
  engine.superseded = kept;
  engine.historyFloor = Math.max(engine.historyFloor, safe.historyFloor);
  void store.trim(removable);
}

/**
 * Writes commit points of the sealed segments, one at a time. Holds the segments of all commits that the store keeps.
 */
export class Commits {
  readonly #engine: Engine;
  readonly #searchers: Searchers;
  readonly #onFree: (segment: number) => void;
  /** Segments held for commits, by generation of the commit. */
  #heldSegments: ReadonlyMap<number, readonly number[]> = new Map();
  #last: Promise<unknown> = Promise.resolve();

  /** `onFree` is called with a segment that no commit and no part needs any more. */
  constructor(engine: Engine, searchers: Searchers, onFree: (segment: number) => void) {
    this.#engine = engine;
    this.#searchers = searchers;
    this.#onFree = onFree;
    this.#holdCommits();
  }

  /** Commits all sealed segments. An open replays the log from the oldest buffer's first operation on. */
  write(): Promise<Commit> {
    return this.exclusive(() => this.#write());
  }

  /** Runs `work` while no commit is being written. */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#last.then(work);
    this.#last = run.catch(() => undefined);
    return run;
  }

  async #write(): Promise<Commit> {
    const engine = this.#engine;
    const parts = [...engine.sealed];
    const maxSeqNo = (engine.sealing ?? engine.current).firstSeqNo - 1;
    const drafts = parts.map((part) => segmentDraft(part, maxSeqNo));
    for (const part of parts) engine.segments.hold(part.segment);
    const draft = draftOf(
      engine,
      drafts.map((one) => one.draft),
      maxSeqNo,
    );
    const commit = await engine.store.writeCommit(draft);
    parts.forEach((part, i) => {
      part.isCommitted = true;
      part.committedChanges = drafts[i]!.changes;
      part.late.forget(maxSeqNo);
    });
    this.settle();
    for (const part of parts) this.#release(part.segment);
    return commit;
  }

  /**
   * Called after commits were written or dropped: releases the segments and operations that only dropped commits
   * needed.
   */
  settle(): void {
    this.#holdCommits();
    trim(this.#engine, this.#searchers);
  }

  /** Pins the newest safe commit: its segments and operations stay until `release`. Returns null if there is none. */
  pin(): PinnedCommit | null {
    const { store, segments, pins } = this.#engine;
    const commit = store.commits.findLast((one) => one.maxSeqNo <= store.globalCheckpoint);
    if (!commit) return null;
    const held = commit.segments.map((one) => one.segment);
    for (const segment of held) segments.hold(segment);
    const pin = {};
    // A delete that the commit remembers may expire as superseded by the commit's last operation. The copy that reads
    // this commit still needs the delete's record.
    pins.set(pin, commit.maxSeqNo - 1);
    const release = (): void => {
      if (pins.delete(pin)) for (const segment of held) this.#release(segment);
    };
    return { commit, release };
  }

  #holdCommits(): void {
    const before = this.#heldSegments;
    const { segments, store } = this.#engine;
    this.#heldSegments = new Map(
      store.commits.map((commit) => [commit.generation, commit.segments.map((one) => one.segment)]),
    );
    for (const held of this.#heldSegments.values()) for (const segment of held) segments.hold(segment);
    for (const held of before.values()) for (const segment of held) this.#release(segment);
  }

  #release(segment: number): void {
    if (this.#engine.segments.release(segment)) this.#onFree(segment);
  }
}
