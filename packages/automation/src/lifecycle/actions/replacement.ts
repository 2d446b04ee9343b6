import { type ClusterState, dataStreamOf, type IndexMetadata, isActive, nameIndex } from '@shoal/state';
import { DONE, type Step, type StepView, type Verdict, waits } from '../step.js';

/** Names of the steps by which an index that was made of another one takes its place. */
export interface ReplacementSteps {
  /** Step that deletes a target that was not completed, and those after it make another. */
  readonly cleanUp: string;
  /** Step at which the target goes on once it is in the place of its source. */
  readonly check: string;
}

const POLICY = 'index.lifecycle.name';

/** The index that is made of the index; null if there is none. */
export const targetOf = ({ state, execution }: StepView): IndexMetadata | null =>
  nameIndex(state).get(execution.shrinkIndexName ?? '') ?? null;

/**
 * Whether each shard of an index that is to replace another has as many active copies as it should, or as the shard of
 * the other one has: where a copy has no node to go to, neither of them will ever have it.
 */
export function isAsSafe(state: ClusterState, source: IndexMetadata, target: IndexMetadata): boolean {
  const held = (state.routing.get(source.uuid) ?? []).map((copies) => copies.filter(isActive).length);
  return (state.routing.get(target.uuid) ?? []).every((copies, shard) => {
    const wanted = Math.min(copies.length, Math.max(1, held[shard] ?? copies.length));
    return copies.filter(isActive).length >= wanted;
  });
}

/** Waits until the target has as many active copies as its source: what it replaces is deleted after that. */
export const targetWhole = ({ cleanUp }: ReplacementSteps): Step => ({
  name: 'wait-for-index-color',
  decide(view) {
    const target = targetOf(view);
    if (target === null) return { kind: 'go', step: cleanUp };
    if (isAsSafe(view.state, view.meta, target)) return DONE;
    return waits('index is not green; not all shards are active');
  },
});

/** Gives the target the policy of the source, at the step after the exchange. */
export function copyExecution(view: StepView, { cleanUp, check }: ReplacementSteps): Verdict {
  const { meta, execution, policy, nowMs } = view;
  const target = targetOf(view);
  if (target === null) return { kind: 'go', step: cleanUp };
  if (target.lifecycle !== undefined) return DONE;
  const { stepInfo: _info, ...rest } = execution;
  const to = { ...rest, step: check, stepTimeMs: nowMs };
  const kept = ['index.lifecycle.indexing_complete', 'index.lifecycle.rollover_alias'].filter(
    (name) => meta.settings[name] !== undefined,
  );
  const settings = { [POLICY]: policy, ...Object.fromEntries(kept.map((name) => [name, meta.settings[name]!])) };
  const body = { moves: [{ uuid: target.uuid, from: null, to, settings }] };
  return {
    kind: 'effect',
    effect: {
      kind: 'task',
      task: 'move-lifecycles',
      body,
      action: 'indices:admin/settings/update',
      names: [meta.name],
    },
  };
}

/** Puts the target in the place of the source, in its data stream or behind its aliases, and deletes the source. */
export function exchange(view: StepView, { cleanUp }: ReplacementSteps): Verdict {
  const { state, meta } = view;
  const target = targetOf(view);
  if (target === null) return { kind: 'go', step: cleanUp };
  const stream = dataStreamOf(state, meta.uuid);
  if (stream) {
    const body = { replace: [{ dataStream: stream.name, from: meta.uuid, to: target.uuid }] };
    const action = 'indices:admin/delete';
    return { kind: 'effect', effect: { kind: 'task', task: 'modify-data-streams', body, action, names: [meta.name] } };
  }
  const added = Object.entries(meta.aliases).map(([name, alias]) => {
    const { isWriteIndex: _was, ...rest } = alias;
    return { kind: 'add', uuids: [target.uuid], aliases: [name], alias: rest };
  });
  const actions = [
    { kind: 'remove-index', uuids: [meta.uuid] },
    { kind: 'add', uuids: [target.uuid], aliases: [meta.name], alias: {} },
    ...added,
  ];
  return {
    kind: 'effect',
    effect: {
      kind: 'task',
      task: 'update-aliases',
      body: { actions },
      action: 'indices:admin/aliases',
      names: [meta.name],
    },
  };
}

/** Deletes a target, so that another one can be made. */
export function deleteTarget(view: StepView): Verdict {
  const target = targetOf(view);
  // An index that took the place of another one has its own name from there: it is nobody's target any more.
  if (target === null || target.uuid === view.meta.uuid) return { kind: 'done', changes: { shrinkIndexName: '' } };
  const body = { uuids: [target.uuid] };
  return {
    kind: 'effect',
    effect: { kind: 'task', task: 'delete-index', body, action: 'indices:admin/delete', names: [target.name] },
  };
}

/** The step of a target that waits until its source is gone. `sourceOf` returns the name of the source. */
export const sourceGone = (name: string, sourceOf: (meta: IndexMetadata) => string | undefined): Step => ({
  name,
  decide({ state, meta }) {
    const source = sourceOf(meta);
    if (source === undefined || !nameIndex(state).has(source)) return DONE;
    return waits(`Waiting for original index [${source}] to be deleted`, { original_index_name: source });
  },
});
