import type { BitSet } from '@shoal/segments';
import type { Commit, CommitDraft, SegmentDraft } from '@shoal/store';
import type { PinnedCommit } from '../shard-api.js';
import type { Engine } from './engine.js';
import type { SealedPart } from './part.js';
import type { Searchers } from './searchers.js';

/** Operations that one trim removes at most; the rest waits for the next commit. */
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
  // What was left out is written by the next commit.
  return { draft, changes: isEarlier ? -1 : part.changes };
}

const deletedIn = (live: BitSet, maxDoc: number): number => maxDoc - live.cardinality();

/** Operations below it may be removed once they are superseded: nobody comes back for them. */
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
    // As of now: the draft waits in the log's queue, and what comes behind it there may never be written. Replay finds
    // what is above.
    superseded: engine.superseded.filter(({ by }) => by <= maxSeqNo),
    tombstones: engine.tombstones.seqNos(maxSeqNo),
    leases: engine.leases,
    retriesFrom: firstRetry <= maxSeqNo ? firstRetry : -1,
    historyFloor: Math.max(engine.historyFloor, Math.min(maxSeqNo + 1, retentionFloor(engine))),
  };
}

/** Removes operations that no commit, reader, replay or copy needs any more. */
function trim(engine: Engine, searchers: Searchers): void {
  const { store, superseded } = engine;
  const safe = store.commits[0];
  if (!safe || safe.maxSeqNo > store.globalCheckpoint) return;
  const limit = Math.min(safe.maxSeqNo, searchers.unpinnedSeqNo(), ...engine.pins.values());
  // Of the commit that stays whatever is rolled back: an open goes by it.
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

/** Writes commit points of the sealed segments, one at a time, and keeps the segments of those that are needed. */
export class Commits {
  readonly #engine: Engine;
  readonly #searchers: Searchers;
  readonly #onFree: (segment: number) => void;
  /** Segments by generation. */
  #held: ReadonlyMap<number, readonly number[]> = new Map();
  #last: Promise<unknown> = Promise.resolve();

  /** `onFree` is called with a segment that nobody needs any more. */
  constructor(engine: Engine, searchers: Searchers, onFree: (segment: number) => void) {
    this.#engine = engine;
    this.#searchers = searchers;
    this.#onFree = onFree;
    this.#holdKept();
  }

  /** Commits all sealed segments: the log above the oldest buffer's first operation is what an open replays. */
  write(): Promise<Commit> {
    return this.exclusive(() => this.#write());
  }

  /** Runs work while no commit is written. */
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

  /** After commits were written or became superfluous: lets go of what only those needed that are gone. */
  settle(): void {
    this.#holdKept();
    trim(this.#engine, this.#searchers);
  }

  /** Keeps what the newest safe commit needs. */
  pin(): PinnedCommit | null {
    const { store, segments, pins } = this.#engine;
    const commit = store.commits.findLast((one) => one.maxSeqNo <= store.globalCheckpoint);
    if (!commit) return null;
    const held = commit.segments.map((one) => one.segment);
    for (const segment of held) segments.hold(segment);
    const pin = {};
    // A delete that the commit remembers may be forgotten as of its last operation: those who copy it still need its
    // record.
    pins.set(pin, commit.maxSeqNo - 1);
    const release = (): void => {
      if (pins.delete(pin)) for (const segment of held) this.#release(segment);
    };
    return { commit, release };
  }

  #holdKept(): void {
    const before = this.#held;
    const { segments, store } = this.#engine;
    this.#held = new Map(store.commits.map((commit) => [commit.generation, commit.segments.map((one) => one.segment)]));
    for (const held of this.#held.values()) for (const segment of held) segments.hold(segment);
    for (const held of before.values()) for (const segment of held) this.#release(segment);
  }

  #release(segment: number): void {
    if (this.#engine.segments.release(segment)) this.#onFree(segment);
  }
}
