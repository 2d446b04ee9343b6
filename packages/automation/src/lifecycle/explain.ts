import { ownProperty } from '@shoal/json';
import { type ClusterState, type IndexMetadata, managedBy, policyNameOf } from '@shoal/state';
import { ERROR, lifecycleDate } from './advance.js';
import { allPolicies } from './built-in-policies.js';

type Json = Record<string, unknown>;

const UNITS: readonly (readonly [string, number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
];

/** An age with at most two decimals, such as `1.52d`. */
export function ageText(ms: number): string {
  const [unit, size] = UNITS.find(([, least]) => ms >= least) ?? ['s', 1000];
  return `${Math.floor((Math.max(0, ms) / size) * 100) / 100}${unit}`;
}

/** A time as number, and as text too if the caller asks for readable values. */
export function timeFields(key: string, ms: number, isHuman: boolean): Json {
  return { ...(isHuman ? { [key]: new Date(ms).toISOString() } : {}), [`${key}_millis`]: ms };
}

function missingPolicy(name: string): Json {
  return { step_info: { type: 'illegal_argument_exception', reason: `policy [${name}] does not exist` } };
}

/** What 8.12 calls the index that an action makes. */
const targetKey = (action: string): string => (action === 'downsample' ? 'rollup_index_name' : 'shrink_index_name');

function placeJson(meta: IndexMetadata, nowMs: number, isHuman: boolean): Json {
  const { lifecycle } = meta;
  if (lifecycle === undefined) return {};
  const { definition, failedStep, retries, stepInfo, shrinkIndexName } = lifecycle;
  const date = lifecycleDate(meta, lifecycle);
  return {
    ...timeFields('lifecycle_date', date, isHuman),
    age: ageText(nowMs - date),
    phase: lifecycle.phase,
    ...timeFields('phase_time', lifecycle.phaseTimeMs, isHuman),
    action: lifecycle.action,
    ...timeFields('action_time', lifecycle.actionTimeMs, isHuman),
    step: lifecycle.step,
    ...timeFields('step_time', lifecycle.stepTimeMs, isHuman),
    ...(failedStep === undefined ? {} : { failed_step: failedStep, is_auto_retryable_error: true }),
    ...(retries === undefined && failedStep === undefined ? {} : { failed_step_retry_count: retries ?? 0 }),
    ...(shrinkIndexName && lifecycle.action !== 'searchable_snapshot'
      ? { [targetKey(lifecycle.action)]: shrinkIndexName }
      : {}),
    ...(lifecycle.snapshotName === undefined
      ? {}
      : { repository_name: lifecycle.snapshotRepository, snapshot_name: lifecycle.snapshotName }),
    ...(stepInfo === undefined ? {} : { step_info: stepInfo }),
    phase_execution: {
      policy: definition.policy,
      ...(definition.phase === null ? {} : { phase_definition: definition.phase }),
      version: definition.version,
      ...(isHuman ? { modified_date: new Date(definition.modifiedMs).toISOString() } : {}),
      modified_date_in_millis: definition.modifiedMs,
    },
  };
}

/** What `_ilm/explain` says of an index. */
export function explainLifecycle(state: ClusterState, meta: IndexMetadata, nowMs: number, isHuman: boolean): Json {
  const policy = policyNameOf(meta);
  const createdMs = Number(meta.settings['index.creation_date']);
  const created = {
    ...timeFields('index_creation_date', createdMs, isHuman),
    time_since_index_creation: ageText(nowMs - createdMs),
  };
  if (policy === null || managedBy(state, meta) !== 'Index Lifecycle Management')
    return { index: meta.name, managed: false };
  const isKnown = ownProperty(allPolicies(state), policy) !== undefined;
  return {
    index: meta.name,
    managed: true,
    policy,
    ...created,
    ...placeJson(meta, nowMs, isHuman),
    ...(isKnown ? {} : missingPolicy(policy)),
  };
}

/** Whether a step of the index has failed, or its policy is missing. */
export function hasLifecycleError(state: ClusterState, meta: IndexMetadata): boolean {
  const policy = policyNameOf(meta);
  if (policy === null) return false;
  return meta.lifecycle?.step === ERROR || ownProperty(allPolicies(state), policy) === undefined;
}
