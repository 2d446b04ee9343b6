import type { Commit, CommitDraft } from '@shoal/store';
import type { Engine } from './engine.js';
import type { SealedPart } from './part.js';
import type { Searchers } from './searchers.js';

/** Operations that one trim removes at most; the rest waits for the next commit. */
const TRIM_OPERATIONS_MAX = 100_000;

function draftOf(engine: Engine, parts: readonly SealedPart[], maxSeqNo: number): CommitDraft {
  return {
    segments: parts.map((part) => {
      const live = part.shareLive();
      return {
        segment: part.segment,
        maxDoc: part.maxDoc,
        byteSize: part.byteSize,
        rootHash: part.rootHash,
        deletedDocs: part.deletedDocs,
        live: live === null ? null : { words: live.words, isChanged: part.changes !== part.committedChanges || !part.isCommitted },
      };
    }),
    maxSeqNo,
    primaryTerm: engine.primaryTerm,
    nextSegment: engine.nextSegment,
    // As of now: the draft waits in the log's queue, and what comes behind it there may never be written.
    superseded: engine.superseded.slice(),
  };
}

/** Removes operations that no commit, reader or replay needs any more. */
function trim(engine: Engine, searchers: Searchers, maxSeqNo: number): void {
  const limit = Math.min(maxSeqNo, searchers.unpinnedSeqNo());
  const { superseded } = engine;
  let count = 0;
  while (count < superseded.length && count < TRIM_OPERATIONS_MAX && superseded[count]!.by <= limit) count++;
  if (count === 0) return;
  const removable = superseded.slice(0, count).map((entry) => entry.seqNo);
  engine.superseded = superseded.slice(count);
  void engine.store.trim(removable);
}

/** Writes commit points of the sealed segments, one at a time. */
export class Commits {
  readonly #engine: Engine;
  readonly #searchers: Searchers;
  #parts: readonly SealedPart[];

  /** `parts` are those of the commit that the shard was opened from. */
  constructor(engine: Engine, searchers: Searchers, parts: readonly SealedPart[]) {
    this.#engine = engine;
    this.#searchers = searchers;
    this.#parts = parts;
    for (const part of parts) part.holders++;
  }

  /** Commits all sealed segments: the log above the oldest buffer's first operation is what an open replays. */
  async write(): Promise<Commit> {
    const engine = this.#engine;
    const parts = [...engine.sealed];
    const maxSeqNo = (engine.sealing ?? engine.current).firstSeqNo - 1;
    const changes = parts.map((part) => part.changes);
    for (const part of parts) part.holders++;
    const commit = await engine.store.writeCommit(draftOf(engine, parts, maxSeqNo));
    parts.forEach((part, i) => {
      part.isCommitted = true;
      part.committedChanges = changes[i]!;
    });
    const before = this.#parts;
    this.#parts = parts;
    for (const part of before) this.#searchers.release(part);
    trim(engine, this.#searchers, maxSeqNo);
    return commit;
  }
}
