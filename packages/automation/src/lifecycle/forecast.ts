import { isPlainObject, ownProperty } from '@shoal/json';
import type { IndexMetadata, LifecycleExecution, LifecyclePhase, StoredPolicy } from '@shoal/state';
import { parseByteSize, parseTimeValue } from '@shoal/values';
import { ACTIONS } from './actions/catalogue.js';
import { beginning, COMPLETE, lifecycleDate, phaseAfter, stepsOf } from './advance.js';
import type { Measurements } from './step.js';

/** Something that a policy will do. */
export interface ForecastEvent {
  readonly atMs: number;
  readonly phase: string;
  readonly action: string;
  readonly what: string;
  /** Set if the time is an estimate: the growth of the index so far goes on. */
  readonly isEstimate?: true;
}

/** What a forecast is made from. */
export interface ForecastInput {
  readonly meta: IndexMetadata;
  readonly policy: string;
  readonly stored: StoredPolicy;
  /** Sizes of the index; null if they are not known. */
  readonly measured: Measurements | null;
  readonly nowMs: number;
  readonly untilMs: number;
}

const MEASURES: Readonly<Record<string, (sizes: Measurements) => number>> = {
  docs: ({ docs }) => docs,
  size: ({ sizeBytes }) => sizeBytes,
  primary_shard_size: ({ primaryShardBytes }) => primaryShardBytes,
  primary_shard_docs: ({ primaryShardDocs }) => primaryShardDocs,
};

/** When a condition will be met if the index grows as it has so far; Infinity if never. */
function metAt(name: string, value: unknown, { meta, measured, nowMs }: ForecastInput): number {
  const createdMs = Number(meta.settings['index.creation_date']);
  if (name === 'age') return createdMs + parseTimeValue(String(value), name);
  const measure = MEASURES[name];
  if (measured === null || measure === undefined) return Infinity;
  const wanted = name.endsWith('docs') ? Number(value) : parseByteSize(String(value), name);
  const present = measure(measured);
  if (present >= wanted) return nowMs;
  const perMs = present / Math.max(1, nowMs - createdMs);
  return perMs > 0 ? nowMs + (wanted - present) / perMs : Infinity;
}

/** When an index will be rolled over: all minima and one maximum are met, and there is a document. */
function rolloverAt(options: Readonly<Record<string, unknown>>, input: ForecastInput): { atMs: number; by: string } {
  const times = Object.entries(options).map(([name, value]) => ({ name, atMs: metAt(name.slice(4), value, input) }));
  const first = times.filter(({ name }) => name.startsWith('max_')).toSorted((a, b) => a.atMs - b.atMs)[0];
  const minima = times.filter(({ name }) => name.startsWith('min_')).map(({ atMs }) => atMs);
  const needsDocuments = input.measured !== null && input.measured.docs === 0 && options['min_docs'] === undefined;
  if (first === undefined || needsDocuments) return { atMs: Infinity, by: '' };
  return { atMs: Math.max(first.atMs, input.nowMs, ...minima), by: first.name };
}

interface Course {
  atMs: number;
  dateMs: number;
  isEstimate: boolean;
  readonly events: ForecastEvent[];
}

/** Adds the actions of a phase from one on. Returns false once nothing more can be foreseen. */
function addPhase(
  name: string,
  phase: LifecyclePhase,
  from: string | null,
  course: Course,
  input: ForecastInput,
): boolean {
  const actions = [...new Set(stepsOf(name, phase).map(({ action }) => action))];
  const first = from === null ? 0 : actions.indexOf(from);
  for (const action of first < 0 ? [] : actions.slice(first)) {
    const options = phase.actions[action]!;
    let what = ACTIONS.get(action)!.describe(options);
    if (action === 'rollover') {
      const { atMs, by } = rolloverAt(options, input);
      if (atMs > input.untilMs) return false;
      course.isEstimate ||= by !== 'max_age';
      course.atMs = Math.max(course.atMs, atMs);
      course.dateMs = course.atMs;
      what = `rolls over: [${by}: ${String(options[by])}] is met`;
    }
    const estimate = course.isEstimate ? ({ isEstimate: true } as const) : {};
    course.events.push({ atMs: course.atMs, phase: name, action, what, ...estimate });
    // What follows depends on the snapshot, or the index is gone.
    if (action === 'delete' || action === 'wait_for_snapshot') return false;
  }
  return true;
}

/**
 * Foresees what a policy does to an index until a time, if the index goes on to grow as it has. Times of steps that
 * wait for shards or merges are those at which they begin.
 */
export function forecast(input: ForecastInput): readonly ForecastEvent[] {
  const { meta, policy, stored, nowMs, untilMs } = input;
  const execution: LifecycleExecution = meta.lifecycle ?? beginning(meta, policy, stored, nowMs);
  const course: Course = { atMs: nowMs, dateMs: lifecycleDate(meta, execution), isEstimate: false, events: [] };
  const present = execution.definition.phase === null ? undefined : ownProperty(stored.policy.phases, execution.phase);
  const isOpen =
    !isPlainObject(present) ||
    execution.action === COMPLETE ||
    addPhase(execution.phase, present as unknown as LifecyclePhase, execution.action, course, input);
  for (let name = isOpen ? phaseAfter(stored, execution.phase) : null; name !== null; name = phaseAfter(stored, name)) {
    const phase = stored.policy.phases[name]!;
    course.atMs = Math.max(course.atMs, course.dateMs + parseTimeValue(phase.min_age, 'min_age'));
    if (course.atMs > untilMs || !addPhase(name, phase, null, course, input)) break;
  }
  return course.events;
}

/** A forecast as `_ilm/explain?dry_run` shows it. */
export function forecastJson(events: readonly ForecastEvent[]): unknown {
  return events.map(({ atMs, phase, action, what, isEstimate }) => ({
    at: new Date(atMs).toISOString(),
    at_millis: Math.round(atMs),
    phase,
    action,
    what,
    ...(isEstimate ? { estimate: true } : {}),
  }));
}
