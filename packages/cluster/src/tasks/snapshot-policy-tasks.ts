import { stringify } from '@shoal/json';
import { type ClusterState, sectionEntry } from '@shoal/state';
import { withEntry } from '../metadata/edit-state.js';
import { ACKNOWLEDGED, defineTask } from './task.js';

const SECTION = 'snapshotPolicies';
type Entry = Readonly<Record<string, unknown>>;

/** Body of `putSnapshotPolicy`; the node that got the request has validated the policy. */
export interface PutSnapshotPolicyBody {
  readonly id: string;
  readonly policy: Entry;
  readonly authentication: unknown;
}

/**
 * Stores a snapshot lifecycle policy. What it has done so far stays. The same policy of the same user again changes
 * nothing.
 */
export const putSnapshotPolicy = defineTask<PutSnapshotPolicyBody>({
  name: 'put-snapshot-policy',
  priority: 'NORMAL',
  source: ({ id }) => `put-snapshot-lifecycle-${id}`,
  apply(state, { id, policy, authentication }, { nowMs }) {
    const known = sectionEntry(state, SECTION, id) as Entry | undefined;
    if (known && stringify([known['policy'], known['authentication']]) === stringify([policy, authentication]))
      return { state, answer: ACKNOWLEDGED };
    const version = Number(known?.['version'] ?? 0) + 1;
    const entry = { ...known, policy, version, modifiedMs: nowMs, authentication };
    return { state: withEntry(state, SECTION, id, entry), answer: ACKNOWLEDGED };
  },
});

/** Body of `noteSnapshotPolicy`. */
export interface NoteSnapshotPolicyBody {
  readonly id: string;
  /** Fields to set; null removes one. */
  readonly set: Entry;
  /** Counters to raise. */
  readonly add?: Readonly<Record<string, number>>;
  /** Value that the field `triggeredMs` must have; null for none. Otherwise nothing happens. */
  readonly triggered?: number | null;
}

/** Answer of `noteSnapshotPolicy`. */
export interface NoteSnapshotPolicyAnswer {
  readonly applied: boolean;
}

function changed(state: ClusterState, { id, set, add = {} }: NoteSnapshotPolicyBody, known: Entry): ClusterState {
  const stats = { ...(known['stats'] as Record<string, number> | undefined) };
  for (const [name, count] of Object.entries(add)) stats[name] = (stats[name] ?? 0) + count;
  const kept = Object.entries({ ...known, ...set, stats }).filter(([name]) => set[name] !== null);
  return withEntry(state, SECTION, id, Object.fromEntries(kept));
}

/** Records what a policy does. Of two masters that begin the same run, the second learns that it was begun. */
export const noteSnapshotPolicy = defineTask<NoteSnapshotPolicyBody>({
  name: 'note-snapshot-policy',
  priority: 'NORMAL',
  source: ({ id }) => `update-snapshot-lifecycle-${id}`,
  apply(state, body) {
    const known = sectionEntry(state, SECTION, body.id) as Entry | undefined;
    const answer = (applied: boolean): NoteSnapshotPolicyAnswer => ({ applied });
    if (!known) return { state, answer: answer(false) };
    if (body.triggered !== undefined && (known['triggeredMs'] ?? null) !== body.triggered)
      return { state, answer: answer(false) };
    return { state: changed(state, body, known), answer: answer(true) };
  },
});
