import type { OperationId } from '@shoal/store';

/**
 * Time for which a repeated write is recognised: twice the time that a coordinator waits for a write. It counts from
 * when this process learned of the write: the wall clock of an earlier primary may differ, or jump.
 */
export const RETRY_WINDOW_MS = 120_000;

const CHUNK_WRITES = 512;

/** Some writes of one coordinator, in order of sequence number. */
interface Chunk {
  readonly counters: Float64Array;
  readonly seqNos: Float64Array;
  count: number;
  lowest: number;
  highest: number;
  lastAtMs: number;
}

const newChunk = (): Chunk => ({
  counters: new Float64Array(CHUNK_WRITES),
  seqNos: new Float64Array(CHUNK_WRITES),
  count: 0,
  lowest: Number.POSITIVE_INFINITY,
  highest: -1,
  lastAtMs: 0,
});

function findIn(chunk: Chunk, counter: number): number | undefined {
  if (counter < chunk.lowest || counter > chunk.highest) return undefined;
  for (let i = chunk.count - 1; i >= 0; i--) if (chunk.counters[i] === counter) return chunk.seqNos[i];
  return undefined;
}

/**
 * Operations by the write that made them, for the last minutes: a repeated write gets the answer of the first
 * (docs/internals/cluster.md §5.3).
 */
export class RetryTable {
  readonly #byCoordinator = new Map<string, Chunk[]>();
  readonly #unsafeBelow = new Map<string, number>();

  add({ coordinator, counter }: OperationId, seqNo: number, atMs: number): void {
    let chunks = this.#byCoordinator.get(coordinator);
    if (!chunks) this.#byCoordinator.set(coordinator, (chunks = []));
    let chunk = chunks.at(-1);
    if (!chunk || chunk.count === CHUNK_WRITES) chunks.push((chunk = newChunk()));
    chunk.counters[chunk.count] = counter;
    chunk.seqNos[chunk.count++] = seqNo;
    chunk.lowest = Math.min(chunk.lowest, counter);
    chunk.highest = Math.max(chunk.highest, counter);
    chunk.lastAtMs = atMs;
  }

  /** Returns the operation that a write became; undefined if there is none. */
  find({ coordinator, counter }: OperationId): number | undefined {
    const chunks = this.#byCoordinator.get(coordinator) ?? [];
    for (let i = chunks.length - 1; i >= 0; i--) {
      const found = findIn(chunks[i]!, counter);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Called when a repeated write is applied whose first attempt may still arrive. */
  markOvertaken({ coordinator, counter }: OperationId): void {
    this.#unsafeBelow.set(coordinator, Math.max(counter, this.#unsafeBelow.get(coordinator) ?? -1));
  }

  /**
   * Returns whether the repetition of this write may already have been applied, although the request is not marked as a
   * repetition.
   */
  isUnsafe({ coordinator, counter }: OperationId): boolean {
    return this.#unsafeBelow.size > 0 && counter <= (this.#unsafeBelow.get(coordinator) ?? -1);
  }

  /** Returns the lowest operation in the table; Infinity when it is empty. */
  lowestSeqNo(): number {
    let lowest = Number.POSITIVE_INFINITY;
    for (const chunks of this.#byCoordinator.values()) lowest = Math.min(lowest, chunks[0]!.seqNos[0]!);
    return lowest;
  }

  expire(nowMs: number): void {
    for (const [coordinator, chunks] of this.#byCoordinator) {
      while (chunks.length > 0 && chunks[0]!.lastAtMs < nowMs - RETRY_WINDOW_MS) chunks.shift();
      if (chunks.length > 0) continue;
      this.#byCoordinator.delete(coordinator);
      this.#unsafeBelow.delete(coordinator);
    }
  }

  clear(): void {
    this.#byCoordinator.clear();
  }
}
