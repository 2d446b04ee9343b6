import type { LifecycleMove } from '@shoal/cluster';
import { errors } from '@shoal/errors';
import { bodyReader, ownProperty } from '@shoal/json';
import {
  type ClusterState,
  type IndexMetadata,
  type LifecycleExecution,
  policyNameOf,
  type StepKey,
  type StoredPolicy,
} from '@shoal/state';
import { atPhase, atStep, beginning, COMPLETE, ERROR, retried, stepsOf } from './advance.js';
import { allPolicies } from './built-in-policies.js';

/** A step as errors show it. */
const keyText = ({ phase, action, name }: StepKey): string => JSON.stringify({ phase, action, name });

const placeOf = (execution: LifecycleExecution | undefined): LifecycleMove['from'] => execution ?? null;

/** Returns what tries the failed steps of indices again. Throws illegal_argument_exception for one without error. */
export function planRetry(metas: readonly IndexMetadata[], nowMs: number): LifecycleMove[] {
  return metas.map(({ name, uuid, lifecycle }) => {
    if (lifecycle?.step !== ERROR)
      throw errors.illegalArgument(
        `cannot retry an action for an index [${name}] that has not encountered an error when running a Lifecycle ` +
          'Policy',
      );
    return { uuid, from: placeOf(lifecycle), to: retried(lifecycle, false, nowMs) };
  });
}

/** Settings that `_ilm/remove` takes from an index. */
const OWN_SETTINGS = [
  'index.lifecycle.name',
  'index.lifecycle.indexing_complete',
  'index.lifecycle.rollover_alias',
  'index.lifecycle.origination_date',
  'index.lifecycle.parse_origination_date',
  'index.lifecycle.prefer_ilm',
  'index.lifecycle.step.wait_time_threshold',
];

/** Returns what takes indices from their policies. */
export function planRemoval(metas: readonly IndexMetadata[]): LifecycleMove[] {
  return metas.map(({ uuid, lifecycle, settings }) => {
    const own = OWN_SETTINGS.filter((name) => settings[name] !== undefined);
    return { uuid, from: placeOf(lifecycle), to: null, settings: Object.fromEntries(own.map((name) => [name, null])) };
  });
}

interface WantedStep {
  readonly phase: string;
  readonly action: string | null;
  readonly name: string | null;
}

function parseStep(field: string, given: unknown): WantedStep {
  const reader = bodyReader('step_specification', given);
  reader.onlyKeys(['phase', 'action', 'name']);
  const step = {
    phase: reader.text('phase'),
    action: reader.optionalText('action'),
    name: reader.optionalText('name'),
  };
  if (step.action === null && step.name !== null)
    throw errors.illegalArgument(`[${field}] phase and action must be specified if a step is specified`);
  return step;
}

/** Parses the body of `_ilm/move`. */
export function parseMove(body: unknown): { readonly current: StepKey; readonly next: WantedStep } {
  const reader = bodyReader('move_to_step_request', body);
  reader.onlyKeys(['current_step', 'next_step']);
  const current = parseStep('current_step', reader.object('current_step'));
  const next = parseStep('next_step', reader.object('next_step'));
  if (current.action === null || current.name === null)
    throw errors.illegalArgument(`Required [${current.action === null ? 'action' : 'name'}]`);
  return { current: { phase: current.phase, action: current.action, name: current.name }, next };
}

/** The place of the wanted step; null if the policy has no such step. */
function placeAt(
  execution: LifecycleExecution,
  wanted: WantedStep,
  policy: string,
  stored: StoredPolicy,
  nowMs: number,
): LifecycleExecution | null {
  if (ownProperty(stored.policy.phases, wanted.phase) === undefined) return null;
  const start =
    wanted.phase === execution.phase && execution.definition.phase !== null
      ? execution
      : atPhase(execution, policy, stored, wanted.phase, nowMs);
  if (wanted.action === null) return atPhase(execution, policy, stored, wanted.phase, nowMs);
  if (wanted.action === COMPLETE && (wanted.name ?? COMPLETE) === COMPLETE)
    return atStep(start, COMPLETE, COMPLETE, nowMs);
  const found = stepsOf(wanted.phase, start.definition.phase!).find(
    ({ action, step }) => action === wanted.action && (wanted.name === null || step.name === wanted.name),
  );
  return found === undefined ? null : atStep(start, found.action, found.step.name, nowMs);
}

/** Returns the move of an index to another step. Throws illegal_argument_exception. */
export function planMove(
  state: ClusterState,
  meta: IndexMetadata,
  { current, next }: ReturnType<typeof parseMove>,
  nowMs: number,
): LifecycleMove {
  const policy = policyNameOf(meta);
  if (policy === null)
    throw errors.illegalArgument(`index [${meta.name}] is not associated with an Index Lifecycle Policy`);
  const stored = ownProperty(allPolicies(state), policy);
  if (stored === undefined) throw errors.illegalArgument(`policy [${policy}] does not exist`);
  const execution = meta.lifecycle ?? beginning(meta, policy, stored, nowMs);
  const present = { phase: execution.phase, action: execution.action, name: execution.step };
  if (keyText(present) !== keyText(current))
    throw errors.illegalArgument(
      `index [${meta.name}] is not on current step [${keyText(current)}], currently: [${keyText(present)}]`,
    );
  const to = placeAt(execution, next, policy, stored, nowMs);
  if (to === null) {
    const wanted = { phase: next.phase, action: next.action ?? '', name: next.name ?? '' };
    throw errors.illegalArgument(
      `step [${keyText(wanted)}] for index [${meta.name}] with policy [${policy}] does not exist`,
    );
  }
  return { uuid: meta.uuid, from: placeOf(meta.lifecycle), to };
}
