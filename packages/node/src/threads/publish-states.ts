import type { StateApplier } from '@shoal/cluster';
import { type ClusterState, diffState, emptyState } from '@shoal/state';
import { type Channel, sendMessage } from '@shoal/doors';
import { encodeJson } from '@shoal/json';
import { master } from '@shoal/protocol';

/** Encodes a state as a difference to `base`, or whole if `base` is null. */
export function publicationOf(state: ClusterState, base: ClusterState | null): master.Publication {
  const body = encodeJson(diffState(base ?? emptyState(), state));
  return { term: state.term, version: state.version, baseVersion: base?.version ?? 0, body };
}

/** Publishes each committed state to the threads: as a difference if they have the previous one, else whole. */
export function createStatePublisher(threads: readonly Channel[]): StateApplier {
  let published = 0;
  return {
    async apply(state, previous) {
      const base = published !== 0 && previous && published === previous.version ? previous : null;
      const publication = publicationOf(state, base);
      const answers = await Promise.all(
        threads.map((thread) => sendMessage(thread, master.methods.publish, publication)),
      );
      published = state.version;
      if (!answers.some(({ needFull }) => needFull)) return;
      const whole = publicationOf(state, null);
      await Promise.all(threads.map((thread) => sendMessage(thread, master.methods.publish, whole)));
    },
  };
}
