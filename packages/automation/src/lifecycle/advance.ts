import { ownProperty } from '@shoal/json';
import {
  type ClusterState,
  type IndexMetadata,
  indexSetting,
  isTrue,
  type LifecycleExecution,
  type LifecyclePhase,
  type PhaseDefinition,
  policyNameOf,
  type StoredPolicy,
} from '@shoal/state';
import { parseTimeValue } from '@shoal/values';
import { PHASES } from './actions/catalogue.js';
import type { Effect, Measurements, Step, Verdict } from './step.js';

/** Name of the action and step between the last action of a phase and the next phase. */
export const COMPLETE = 'complete';
/** Step of an index whose step has failed. */
export const ERROR = 'ERROR';
const NEW = 'new';
/** Steps that one call may take; more would be a circle. */
const STEPS_MAX = 64;

/** A step with the action that it belongs to. */
interface PlacedStep {
  readonly action: string;
  readonly step: Step;
}

const placed = new WeakMap<LifecyclePhase, readonly PlacedStep[]>();

/** Returns the steps of a phase, action after action. */
export function stepsOf(phaseName: string, phase: LifecyclePhase): readonly PlacedStep[] {
  let steps = placed.get(phase);
  if (!steps) {
    steps = (PHASES.get(phaseName) ?? []).flatMap((action) => {
      const options = ownProperty(phase.actions, action.name);
      if (options === undefined) return [];
      return action.steps(options).map((step) => ({ action: action.name, step }));
    });
    placed.set(phase, steps);
  }
  return steps;
}

/** Returns the first phase of a policy after another one; `new` stands before all. */
export function phaseAfter({ policy }: StoredPolicy, phase: string): string | null {
  const order = [...PHASES.keys()];
  const later = order.slice(order.indexOf(phase) + 1);
  return later.find((name) => Object.hasOwn(policy.phases, name)) ?? null;
}

const DATE_IN_NAME = /^.*-(\d{4})\.(\d{2})\.(\d{2})(-\d+)?$/;

/** Date at the end of a name such as `logs-2026.11.27-000001`, in milliseconds; null without one. */
export function dateInName(name: string): number | null {
  const match = DATE_IN_NAME.exec(name);
  if (!match) return null;
  const ms = Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3]));
  return new Date(ms).getUTCDate() === Number(match[3]) ? ms : null;
}

/** Time from which the age of an index is counted. */
export function lifecycleDate(meta: IndexMetadata, execution: LifecycleExecution | undefined): number {
  const origin = Number(indexSetting(meta.settings, 'index.lifecycle.origination_date'));
  if (origin >= 0) return origin;
  const ofName = isTrue(meta.settings, 'index.lifecycle.parse_origination_date') ? dateInName(meta.name) : null;
  return ofName ?? execution?.lifecycleDateMs ?? Number(meta.settings['index.creation_date']);
}

function definitionOf(
  name: string,
  { version, modifiedMs, policy }: StoredPolicy,
  phase: string | null,
): PhaseDefinition {
  return { policy: name, version, modifiedMs, phase: phase === null ? null : policy.phases[phase]! };
}

/** Where an index begins. */
export function beginning(meta: IndexMetadata, name: string, stored: StoredPolicy, nowMs: number): LifecycleExecution {
  return {
    phase: NEW,
    action: COMPLETE,
    step: COMPLETE,
    phaseTimeMs: nowMs,
    actionTimeMs: nowMs,
    stepTimeMs: nowMs,
    lifecycleDateMs: Number(meta.settings['index.creation_date']),
    definition: definitionOf(name, stored, null),
  };
}

/** The same place without what belongs to the step before. */
function clear(execution: LifecycleExecution): LifecycleExecution {
  const { failedStep: _step, retries: _retries, stepInfo: _info, ...rest } = execution;
  return rest;
}

/** Returns the place at a step of the same phase. */
export function atStep(execution: LifecycleExecution, action: string, step: string, nowMs: number): LifecycleExecution {
  const actionTimeMs = action === execution.action ? execution.actionTimeMs : nowMs;
  return { ...clear(execution), action, step, actionTimeMs, stepTimeMs: nowMs };
}

/** Returns the place at the first step of a phase of the policy as it is now. */
export function atPhase(
  execution: LifecycleExecution,
  name: string,
  stored: StoredPolicy,
  phase: string,
  nowMs: number,
): LifecycleExecution {
  const definition = definitionOf(name, stored, phase);
  const [first] = stepsOf(phase, definition.phase!);
  const times = { phaseTimeMs: nowMs, actionTimeMs: nowMs, stepTimeMs: nowMs };
  const at = { action: first?.action ?? COMPLETE, step: first?.step.name ?? COMPLETE };
  return { ...clear(execution), phase, ...at, ...times, definition };
}

/** Returns the place of an index whose step has failed. */
export function failed(
  execution: LifecycleExecution,
  error: { readonly type: string; readonly reason: string },
  nowMs: number,
): LifecycleExecution {
  const { type, reason } = error;
  return { ...execution, step: ERROR, stepTimeMs: nowMs, failedStep: execution.step, stepInfo: { type, reason } };
}

/** Returns the place before the failure. A try of its own counts; one that a user asks for begins to count anew. */
export function retried(execution: LifecycleExecution, isAutomatic: boolean, nowMs: number): LifecycleExecution {
  const step = execution.failedStep ?? COMPLETE;
  const retries = (execution.retries ?? 0) + 1;
  return { ...clear(execution), step, stepTimeMs: nowMs, ...(isAutomatic ? { retries } : {}) };
}

const keysOf = (phase: string, definition: LifecyclePhase): string =>
  stepsOf(phase, definition)
    .map(({ action, step }) => `${action}/${step.name}`)
    .join();

/**
 * Returns the place with the present definition of its phase, if that has the same steps: a changed `max_age` counts at
 * once, a new action only for indices that enter the phase later.
 */
export function refreshed(execution: LifecycleExecution, name: string, stored: StoredPolicy): LifecycleExecution {
  const { definition, phase } = execution;
  if (definition.policy === name && definition.version === stored.version) return execution;
  const present = ownProperty(stored.policy.phases, phase);
  if (definition.phase === null) return { ...execution, definition: definitionOf(name, stored, null) };
  if (present === undefined || keysOf(phase, present) !== keysOf(phase, definition.phase)) return execution;
  return { ...execution, definition: definitionOf(name, stored, phase) };
}

/** An index with its policy, at a time. */
export interface AdvanceInput {
  readonly state: ClusterState;
  readonly meta: IndexMetadata;
  readonly stored: StoredPolicy;
  readonly nowMs: number;
  /** Sizes of the index; null if they were not measured for this call. */
  readonly measured: Measurements | null;
  /** Whether a failed step is tried again. */
  readonly retries: boolean;
}

/** How far an index comes without any effect, and what it needs to come further. */
export interface Advance {
  readonly execution: LifecycleExecution;
  readonly effect: Effect | null;
  /** Whether the step needs sizes. */
  readonly measures: boolean;
}

const waiting = (execution: LifecycleExecution): Advance => ({ execution, effect: null, measures: false });

function nextStep(
  execution: LifecycleExecution,
  steps: readonly PlacedStep[],
  at: number,
  nowMs: number,
): LifecycleExecution {
  const next = steps[at + 1];
  return atStep(execution, next?.action ?? COMPLETE, next?.step.name ?? COMPLETE, nowMs);
}

/** Returns the place after the present step is done; the same place if the phase has no such step. */
export function afterStep(execution: LifecycleExecution, nowMs: number): LifecycleExecution {
  const steps = execution.definition.phase === null ? [] : stepsOf(execution.phase, execution.definition.phase);
  const at = steps.findIndex(({ action, step }) => action === execution.action && step.name === execution.step);
  return at < 0 ? execution : nextStep(execution, steps, at, nowMs);
}

function skipAction(execution: LifecycleExecution, steps: readonly PlacedStep[], nowMs: number): LifecycleExecution {
  const last = steps.findLastIndex(({ action }) => action === execution.action);
  return nextStep(execution, steps, last, nowMs);
}

/** Applies a verdict: the next place, or the end of the call. */
function applied(
  verdict: Verdict,
  execution: LifecycleExecution,
  steps: readonly PlacedStep[],
  at: number,
  nowMs: number,
): { readonly next: LifecycleExecution } | Advance {
  switch (verdict.kind) {
    case 'done':
      return { next: { ...nextStep(execution, steps, at, nowMs), ...verdict.changes } };
    case 'skip':
      return { next: skipAction(execution, steps, nowMs) };
    case 'go':
      return { next: atStep(execution, execution.action, verdict.step, nowMs) };
    case 'fail':
      return waiting(failed(execution, { type: 'illegal_argument_exception', reason: verdict.reason }, nowMs));
    case 'effect':
      return { execution, effect: verdict.effect, measures: false };
    case 'measure':
      return { execution, effect: null, measures: true };
    case 'wait': {
      const { stepInfo: _old, ...rest } = execution;
      const isSame = JSON.stringify(execution.stepInfo) === JSON.stringify(verdict.info);
      return waiting(isSame ? execution : { ...rest, ...(verdict.info ? { stepInfo: verdict.info } : {}) });
    }
  }
}

/** Enters the next phase if the index is old enough for it. */
function enterPhase(execution: LifecycleExecution, name: string, input: AdvanceInput): LifecycleExecution | null {
  const { meta, stored, nowMs } = input;
  const next = phaseAfter(stored, execution.phase);
  if (next === null) return null;
  const age = nowMs - lifecycleDate(meta, execution);
  if (age < parseTimeValue(stored.policy.phases[next]!.min_age, 'min_age')) return null;
  return atPhase(execution, name, stored, next, nowMs);
}

/**
 * Takes an index as far as it comes by the cluster state alone. Pure: a new master that calls it with the same state
 * comes to the same place and asks for the same effect.
 */
export function advance(input: AdvanceInput): Advance {
  const { state, meta, stored, nowMs } = input;
  const name = policyNameOf(meta)!;
  let execution = refreshed(meta.lifecycle ?? beginning(meta, name, stored, nowMs), name, stored);
  let measured = input.measured;
  for (let taken = 0; taken < STEPS_MAX; taken++) {
    if (execution.step === ERROR) {
      if (!input.retries || taken > 0) return waiting(execution);
      execution = retried(execution, true, nowMs);
    }
    const steps = execution.definition.phase === null ? [] : stepsOf(execution.phase, execution.definition.phase);
    const at = steps.findIndex(({ action, step }) => action === execution.action && step.name === execution.step);
    if (at < 0) {
      // Also a step that a former version of the policy, or of the program, had.
      const entered = enterPhase(execution, name, input);
      if (entered === null) return waiting(execution);
      execution = entered;
      continue;
    }
    const verdict = steps[at]!.step.decide({ state, meta, execution, policy: name, nowMs, measured });
    const result = applied(verdict, execution, steps, at, nowMs);
    if (!('next' in result)) return result;
    execution = keepRetries(execution, result.next);
    measured = input.measured;
  }
  return waiting(execution);
}

/** A step that is repeated keeps its count of attempts. */
function keepRetries(before: LifecycleExecution, next: LifecycleExecution): LifecycleExecution {
  return before.step === next.step && before.retries !== undefined ? { ...next, retries: before.retries } : next;
}
