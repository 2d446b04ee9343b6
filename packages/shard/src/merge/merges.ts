import { errors, isApiError } from '@shoal/errors';
import type { BitSet, GraphLimits } from '@shoal/segments';
import { lacksGraphs, mergeSegments, mergeSorted } from '@shoal/segments';
import { carryDeletes } from '../engine/carry-deletes.js';
import type { Commits } from '../engine/commits.js';
import type { Engine } from '../engine/engine.js';
import type { SealedPart } from '../engine/part.js';
import { openPart, pauseBetweenSlices } from '../engine/sealing.js';
import type { Searchers } from '../engine/searchers.js';
import { docOrder } from '../engine/index-sort.js';
import type { ForceMergeRequest, MergeResult, MergeRunner, MergeTask, OpenShardOptions } from '../shard-api.js';
import { findExpunge, findForcedMerge, findMerge, type MergeCandidate } from './tiered-merge-policy.js';

const bytesOf = (parts: readonly SealedPart[]): number => parts.reduce((sum, part) => sum + part.byteSize, 0);

interface Candidate extends MergeCandidate {
  readonly part: SealedPart;
}

/**
 * Limits of graphs over vectors by default. Comparing 10,000 vectors of 100 floats takes as long as a walk that finds
 * 95 % of the ten nearest.
 */
const GRAPH_LIMITS: GraphLimits = { rowsMin: 10_000, bytesMax: 128 * 1024 * 1024 };

const NO_HASH = new Uint8Array(0);

/** Merges of one shard, one at a time. */
export class Merges {
  readonly #engine: Engine;
  readonly #searchers: Searchers;
  readonly #commits: Commits;
  readonly #runner: MergeRunner | null;
  readonly #graphs: GraphLimits;
  #last: Promise<void> = Promise.resolve();
  /** Settles when the merge runner no longer uses the store; the runner has a handle of its own. */
  #running: Promise<void> = Promise.resolve();
  /** True if the store was reopened while the merge ran: chunks behind the failed write are lost. */
  #isSuspect = false;
  #isScheduled = false;
  #isClosed = false;
  /** Whether the segments are those of a snapshot, which stay as they are. */
  readonly #isMounted: boolean;
  readonly #closing = new AbortController();

  constructor(
    engine: Engine,
    searchers: Searchers,
    commits: Commits,
    {
      mergeRunner,
      graphs,
      mounted,
      otherHandles,
    }: Pick<OpenShardOptions, 'mergeRunner' | 'graphs' | 'mounted' | 'otherHandles'>,
  ) {
    this.#isMounted = mounted !== undefined;
    this.#engine = engine;
    this.#searchers = searchers;
    this.#commits = commits;
    this.#runner = mergeRunner ?? null;
    this.#graphs = { ...GRAPH_LIMITS, ...graphs };
    engine.store.whenOthersEnd(async () => {
      this.#isSuspect = true;
      await Promise.all([this.#running, otherHandles?.ended(engine.store.location)]);
    });
  }

  /** Runs the merges that the policy wants, in the background. */
  schedule(): void {
    if (this.#isScheduled || this.#isClosed || this.#isMounted) return;
    this.#isScheduled = true;
    this.#enqueue(async () => {
      this.#isScheduled = false;
      await this.#runWanted();
    }).catch(
      (error) =>
        !this.#isClosed &&
        this.#engine.doors.log.write('error', 'merge failed', {
          path: this.#engine.store.path,
          'error.message': String(error),
        }),
    );
  }

  #enqueue(work: () => Promise<void>): Promise<void> {
    const run = this.#last.then(work);
    this.#last = run.catch(() => undefined);
    return run;
  }

  /** The highest operation that the next commit covers. */
  get #committable(): number {
    return (this.#engine.sealing ?? this.#engine.current).firstSeqNo - 1;
  }

  /** Returns the segments that the policy chooses. Counts only deletes that a merge may drop. */
  #chosen(choose: (candidates: readonly Candidate[]) => readonly Candidate[] | null): readonly SealedPart[] | null {
    const committable = this.#committable;
    const candidates = this.#engine.sealed.map((part): Candidate => {
      const { maxDoc, byteSize, isMerging } = part;
      const deletedDocs = part.purgeableDocs(committable);
      return { part, maxDoc, byteSize, isMerging, deletedDocs, lacksGraphs: lacksGraphs(part.reader, this.#graphs) };
    });
    return choose(candidates)?.map(({ part }) => part) ?? null;
  }

  async #runWanted(): Promise<void> {
    const { settings } = this.#engine;
    for (;;) {
      const chosen = this.#isClosed ? null : this.#chosen((parts) => findMerge(parts, settings));
      if (chosen === null || !(await this.#engine.store.hasRoomFor(bytesOf(chosen)))) return;
      await this.#merge(chosen);
    }
  }

  /**
   * Runs a force merge; the caller has sealed the buffer. Resolves when the shard has as many segments as asked for.
   */
  force(request: ForceMergeRequest): Promise<void> {
    return this.#enqueue(async () => {
      const engine = this.#engine;
      if (request.onlyExpungeDeletes) {
        for (const part of this.#chosen((parts) => findExpunge(parts, engine.settings.expungeDeletesAllowed)) ?? [])
          await this.#mergeForced([part]);
      } else if (request.maxNumSegments === null) await this.#runWanted();
      else {
        const chosen = this.#chosen((parts) => findForcedMerge(parts, request.maxNumSegments!));
        if (chosen) await this.#mergeForced(chosen);
      }
    });
  }

  async #mergeForced(parts: readonly SealedPart[]): Promise<void> {
    if (!(await this.#engine.store.hasRoomFor(bytesOf(parts))))
      throw errors.ioError(`no space left on device for a merge of ${bytesOf(parts)} bytes`);
    await this.#merge(parts);
  }

  async #merge(parts: readonly SealedPart[]): Promise<void> {
    const { counters, doors, sealed } = this.#engine;
    // A rollback during the check for room may have replaced the shard's segments.
    if (!parts.every((part) => sealed.includes(part))) return;
    const started = doors.clock.monotonic();
    const docs = parts.reduce((sum, part) => sum + part.maxDoc - part.deletedDocs, 0);
    const bytes = bytesOf(parts);
    const count = counters.merges;
    count.current++;
    count.currentDocs += docs;
    count.currentBytes += bytes;
    for (const part of parts) {
      part.isMerging = true;
      part.holders++;
    }
    try {
      await this.#run(parts);
    } finally {
      for (const part of parts) {
        part.isMerging = false;
        this.#searchers.release(part);
      }
      count.current--;
      count.currentDocs -= docs;
      count.currentBytes -= bytes;
      count.total++;
      count.docs += docs;
      count.bytes += bytes;
      count.timeMs += doors.clock.monotonic() - started;
    }
  }

  async #run(parts: readonly SealedPart[]): Promise<void> {
    const engine = this.#engine;
    const output = engine.nextSegment++;
    // Documents that operations above the next commit deleted stay in the output, as deleted documents: a rollback may
    // bring them back.
    const committable = this.#committable;
    const lives = parts.map((part) => part.liveAsOf(committable).live);
    const { rollbacks } = engine;
    const task: MergeTask = {
      location: engine.store.location,
      inputs: parts.map((part, i) => ({ segment: part.segment, maxDoc: part.maxDoc, live: lives[i]?.words ?? null })),
      output,
      sort: engine.settings.sort,
      graphs: this.#graphs,
    };
    const inPlace = (): Promise<MergeResult> => this.#mergeHere(parts, lives, output);
    this.#isSuspect = false;
    const merging = this.#runner ? this.#runner.run(task, inPlace, this.#closing.signal) : inPlace();
    this.#running = merging.then(
      () => undefined,
      () => undefined,
    );
    const result = await merging.catch((error) => this.#onFailure(error, output));
    if (this.#isClosed) return;
    if (engine.rollbacks !== rollbacks) return void engine.store.dropSegment(output);
    if (this.#isSuspect) {
      void engine.store.dropSegment(output);
      throw errors.ioError('the store had to be opened anew during the merge');
    }
    this.#swap(parts, lives, output, result);
    await this.#commits.write();
  }

  /**
   * Handles a failed merge. Damaged inputs end the shard. A failed write through the worker's handle is a failure of
   * the store.
   */
  #onFailure(error: unknown, output: number): never {
    const { store } = this.#engine;
    if (isApiError(error) && error.type === 'corrupt_index_exception') throw store.fail(error);
    // Failures of the disk are recognised by LevelDB's messages. A merge that ended for another reason leaves the store
    // sound.
    if (/IO error|no space/i.test(String(error))) store.poison(error);
    else void store.dropSegment(output);
    throw error;
  }

  async #mergeHere(
    parts: readonly SealedPart[],
    lives: readonly (BitSet | null)[],
    output: number,
  ): Promise<MergeResult> {
    const writer = this.#engine.store.writer(output);
    const inputs = parts.map((part, i) => ({ reader: part.reader, live: lives[i] ?? null, maxDoc: part.maxDoc }));
    const { sort } = this.#engine.settings;
    const rest = pauseBetweenSlices(this.#engine);
    const pause = (): Promise<void> | void => {
      if (this.#isClosed) throw errors.taskCancelled('the merge was aborted, because its shard is closing');
      return rest();
    };
    const { maxDoc, docMaps } = await (sort
      ? mergeSorted(inputs, docOrder(sort), writer, { pause, graphs: this.#graphs })
      : mergeSegments(inputs, writer, { pause, graphs: this.#graphs }));
    if (maxDoc === 0) return { maxDoc, docMaps, byteSize: 0, rootHash: NO_HASH };
    return { maxDoc, docMaps, ...(await writer.finish()) };
  }

  /** Replaces the inputs by the merged segment, at the position of the oldest input. */
  #swap(parts: readonly SealedPart[], lives: readonly (BitSet | null)[], output: number, result: MergeResult): void {
    const engine = this.#engine;
    const merged = result.maxDoc === 0 ? null : openPart(engine, output, result, null);
    if (merged) parts.forEach((part, i) => carryDeletes(part, lives[i] ?? null, result.docMaps[i]!, merged));
    const gone = new Set(parts);
    const place = engine.sealed.findIndex((part) => gone.has(part));
    const before = engine.sealed.slice(0, place);
    const after = engine.sealed.slice(place).filter((part) => !gone.has(part));
    engine.sealed = [...before, ...(merged ? [merged] : []), ...after];
    for (const part of parts) this.#searchers.release(part);
  }

  /** Aborts the running merge and starts no further one. Resolves when the merge has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#closing.abort();
    await this.#last;
  }
}
