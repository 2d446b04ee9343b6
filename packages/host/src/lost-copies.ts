import type { ShardRouting } from '@shoal/state';

/** Copies that the state assigns to a thread, and that were lost before this thread could hold them. */
export class LostCopies {
  /** Whether the state that is applied assigns copies that an earlier thread has held. */
  #isInherited: boolean;
  /**
   * Allocation ids of lost copies by name of the shard. They are reported once: the states that the master makes before
   * it knows have them still.
   */
  readonly #reported = new Map<string, string | null>();

  /** `life`: how many threads of this process have held the shards of this number before. */
  constructor(life: number) {
    this.#isInherited = life > 0;
  }

  isReported(name: string, { allocationId }: ShardRouting): boolean {
    return this.#reported.get(name) === allocationId;
  }

  /**
   * Returns why a copy is lost that this thread does not hold, and keeps that it was reported; null if it is not lost.
   * An earlier process or thread may have lost its last operations as a primary, so that the next primary needs a new
   * term. A copy that an earlier thread was opening when it ended is lost too: if that is what ended the thread, the
   * master gives up after some attempts.
   */
  reasonOf(name: string, { state, allocationId }: ShardRouting): string | null {
    this.#reported.delete(name);
    if (!this.#isInherited && state === 'INITIALIZING') return null;
    this.#reported.set(name, allocationId);
    return this.#isInherited
      ? 'the thread that held the shard ended'
      : 'the state has the shard as started, but it was not opened';
  }

  /** Called when a shard is not assigned to this thread. */
  forget(name: string): void {
    this.#reported.delete(name);
  }

  /** Called when a state was applied: what the next ones assign is for this thread. */
  applied(): void {
    this.#isInherited = false;
  }
}
