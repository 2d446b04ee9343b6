import type { ShardRouting } from '@shoal/state';

/** Copies that the state assigns to a thread, and that were lost before this thread could hold them. */
export class LostCopies {
  /** Whether the state that is applied assigns copies that an earlier thread has held. */
  #isInherited: boolean;
  /**
   * Lost copies by name of the shard. They are reported once: the states that the master makes before it knows have
   * them still.
   */
  readonly #reported = new Map<string, ShardRouting>();

  /** `life`: how many threads of this process have held the shards of this number before. */
  constructor(life: number) {
    this.#isInherited = life > 0;
  }

  /** Whether a copy is lost and was reported, and the master has not assigned it anew since. */
  isReported(name: string, routing: ShardRouting): boolean {
    const reported = this.#reported.get(name);
    return reported?.allocationId === routing.allocationId && !isAssignedAnew(reported, routing);
  }

  /**
   * Returns why a copy is lost that this thread does not hold, and keeps that it was reported; null if it is not lost.
   * An earlier process or thread may have lost its last operations as a primary, so that the next primary needs a new
   * term. A copy that an earlier thread was opening when it ended is lost too: if that is what ended the thread, the
   * master gives up after some attempts.
   */
  reasonOf(name: string, routing: ShardRouting): string | null {
    this.#reported.delete(name);
    if (!this.#isInherited && routing.state === 'INITIALIZING') return null;
    this.#reported.set(name, routing);
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

/**
 * Whether a lost copy was assigned again under its allocation id, which a primary keeps with its store. The thread may
 * never see the state between: the master fails a copy and assigns it in one batch, or the thread gets only the newest
 * of many states.
 */
const isAssignedAnew = (lost: ShardRouting, routing: ShardRouting): boolean =>
  routing.state === 'INITIALIZING' &&
  (lost.state !== 'INITIALIZING' || lost.unassigned?.failedAttempts !== routing.unassigned?.failedAttempts);
