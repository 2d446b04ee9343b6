import { errors } from '@shoal/errors';
import { stringify } from '@shoal/json';
import {
  type ClusterState,
  type FlatSettings,
  indicesOfPolicy,
  type LifecycleExecution,
  lifecyclePolicies,
  type LifecyclePolicy,
  type OperationMode,
  sectionEntry,
  type StoredPolicy,
} from '@shoal/state';
import { withEntry, withIndices, withoutKeys, withSection } from '../metadata/edit-state.js';
import { indexTemplates, composeIndexTemplate } from '../templates/compose.js';
import { ACKNOWLEDGED, defineTask } from './task.js';

const SECTION = 'lifecyclePolicies';

/** Body of `putLifecyclePolicy`; the node that got the request has validated the policy. */
export interface PutLifecyclePolicyBody {
  readonly name: string;
  readonly policy: LifecyclePolicy;
  readonly authentication: unknown;
}

/** Stores a lifecycle policy. The same policy of the same user again changes nothing, so that its version stays. */
export const putLifecyclePolicy = defineTask<PutLifecyclePolicyBody>({
  name: 'put-lifecycle-policy',
  priority: 'NORMAL',
  source: ({ name }) => `put-lifecycle-${name}`,
  apply(state, { name, policy, authentication }, { nowMs }) {
    const known = sectionEntry(state, SECTION, name) as StoredPolicy | undefined;
    if (known && stringify([known.policy, known.authentication]) === stringify([policy, authentication]))
      return { state, answer: ACKNOWLEDGED };
    const stored: StoredPolicy = { policy, version: (known?.version ?? 0) + 1, modifiedMs: nowMs, authentication };
    return { state: withEntry(state, SECTION, name, stored), answer: ACKNOWLEDGED };
  },
});

/** Body of `deleteLifecyclePolicy`. */
export interface DeleteLifecyclePolicyBody {
  readonly name: string;
}

/** Deletes a lifecycle policy. Throws illegal_argument_exception while indices use it. */
export const deleteLifecyclePolicy = defineTask<DeleteLifecyclePolicyBody>({
  name: 'delete-lifecycle-policy',
  priority: 'NORMAL',
  source: ({ name }) => `delete-lifecycle-${name}`,
  apply(state, { name }) {
    const users = indicesOfPolicy(state, name);
    if (users.length > 0)
      throw errors.illegalArgument(
        `Cannot delete policy [${name}]. It is in use by one or more indices: [${users.join(', ')}]`,
      );
    const policies = lifecyclePolicies(state);
    if (!Object.hasOwn(policies, name)) return { state, answer: ACKNOWLEDGED };
    return { state: withSection(state, SECTION, withoutKeys(policies, new Set([name]))), answer: ACKNOWLEDGED };
  },
});

/** Returns the names of the composable templates whose settings name a lifecycle policy. */
export function templatesOfPolicy(state: ClusterState, policy: string): string[] {
  const used = Object.entries(indexTemplates(state)).filter(
    ([, template]) => composeIndexTemplate(state, template).settings['index.lifecycle.name'] === policy,
  );
  return used.map(([name]) => name).sort();
}

/** Body of `setOperationMode`. */
export interface OperationModeBody {
  readonly service: 'ilm' | 'slm';
  readonly mode: OperationMode;
}

/** Starts or stops a service. What has stopped does not go back to STOPPING. */
export const setOperationMode = defineTask<OperationModeBody>({
  name: 'set-operation-mode',
  priority: 'IMMEDIATE',
  source: ({ service, mode }) => `${service}_operation_mode_update[${mode}]`,
  apply(state, { service, mode }) {
    const known = sectionEntry(state, 'operationModes', service) as OperationModeBody | undefined;
    const isIdle = mode === 'STOPPING' && known?.mode === 'STOPPED';
    // A service that was started again meanwhile stays started.
    const isLate = mode === 'STOPPED' && known?.mode !== 'STOPPING';
    if (known?.mode === mode || isIdle || isLate) return { state, answer: ACKNOWLEDGED };
    return { state: withEntry(state, 'operationModes', service, { service, mode }), answer: ACKNOWLEDGED };
  },
});

/** A change of where an index is in its policy. */
export interface LifecycleMove {
  readonly uuid: string;
  /** Phase, action and step that the index must be at, and since when; null for none. Otherwise nothing happens. */
  readonly from: Pick<LifecycleExecution, 'phase' | 'action' | 'step' | 'stepTimeMs'> | null;
  /** Null: the index is no longer managed. */
  readonly to: LifecycleExecution | null;
  /** Settings of `index.lifecycle` that change with it; null removes one. */
  readonly settings?: FlatSettings;
}

/** Body of `moveLifecycles`. */
export interface MoveLifecyclesBody {
  readonly moves: readonly LifecycleMove[];
}

function isAt(known: LifecycleExecution | undefined, from: LifecycleMove['from']): boolean {
  if (from === null || known === undefined) return from === null && known === undefined;
  return (
    known.phase === from.phase &&
    known.action === from.action &&
    known.step === from.step &&
    known.stepTimeMs === from.stepTimeMs
  );
}

/**
 * Records where indices are in their policies, all in one state. A move from a step that the index has left meanwhile
 * is dropped: two masters, or an operator and the master, cannot both move an index.
 */
export const moveLifecycles = defineTask<MoveLifecyclesBody>({
  name: 'move-lifecycles',
  priority: 'NORMAL',
  source: ({ moves }) => `ilm-move-to-step [${moves.length}]`,
  apply(state, { moves }) {
    const changed = moves.flatMap((move) => {
      const meta = state.indices.get(move.uuid);
      if (!meta || !isAt(meta.lifecycle, move.from)) return [];
      const { lifecycle: _left, ...rest } = meta;
      const moved = { ...rest, version: meta.version + 1, ...(move.to === null ? {} : { lifecycle: move.to }) };
      if (move.settings === undefined) return [moved];
      const merged = Object.entries({ ...meta.settings, ...move.settings }).filter(([, value]) => value !== null);
      return [{ ...moved, settings: Object.fromEntries(merged), settingsVersion: meta.settingsVersion + 1 }];
    });
    return { state: changed.length === 0 ? state : withIndices(state, changed), answer: ACKNOWLEDGED };
  },
});
