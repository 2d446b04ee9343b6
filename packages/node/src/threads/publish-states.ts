import type { StateApplier } from '@shoal/cluster';
import { type ClusterState, diffState, emptyState } from '@shoal/state';
import { type Channel, sendMessage } from '@shoal/doors';
import { ApiError } from '@shoal/errors';
import { encodeJson } from '@shoal/json';
import { master } from '@shoal/protocol';

/** Encodes a state as a difference to `base`, or whole if `base` is null. */
export function publicationOf(state: ClusterState, base: ClusterState | null): master.Publication {
  const body = encodeJson(diffState(base ?? emptyState(), state));
  return { term: state.term, version: state.version, baseVersion: base?.version ?? 0, body };
}

/** Publishes committed states to the threads that hold shards. */
export interface StatePublisher extends StateApplier {
  /** Gives the newest state to a thread that was started again. */
  renew(thread: number): Promise<void>;
}

/** Publishes each committed state to the threads: as a difference if they have the previous one, else whole. */
export function createStatePublisher(threads: readonly Channel[]): StatePublisher {
  let newest: ClusterState | null = null;
  let published = 0;
  return {
    async apply(state, previous) {
      const base = published !== 0 && previous && published === previous.version ? previous : null;
      const publication = publicationOf(state, base);
      newest = state;
      await Promise.all(threads.map((thread) => publish(thread, publication, state)));
      published = state.version;
    },
    async renew(thread) {
      if (newest !== null) await publish(threads[thread]!, publicationOf(newest, null), newest);
    },
  };
}

/**
 * Publishes a state to a thread. One that has ended holds up nobody: the thread that is started in its place gets the
 * newest state.
 */
async function publish(thread: Channel, publication: master.Publication, state: ClusterState): Promise<void> {
  try {
    const { needFull } = await sendMessage(thread, master.methods.publish, publication);
    if (needFull) await sendMessage(thread, master.methods.publish, publicationOf(state, null));
  } catch (error) {
    if (!hasEnded(error)) throw error;
  }
}

const hasEnded = (error: unknown): boolean =>
  error instanceof ApiError && error.type === 'no_shard_available_action_exception';
