import { meetsConditions, parseRolloverConditions, type RolloverCondition } from '@shoal/cluster';
import { errors } from '@shoal/errors';
import { isPlainObject, type JsonObject } from '@shoal/json';
import {
  clusterSetting,
  dataStreamOf,
  indexSetting,
  type IndexMetadata,
  isActive,
  isTrue,
  parseActiveShards,
} from '@shoal/state';
import { withSettings } from '../effects.js';
import { DONE, type LifecycleActionType, type Step, type StepView, type Verdict, waits } from '../step.js';

const ONLY_IF_DOCUMENTS = 'indices.lifecycle.rollover.only_if_has_documents';
/** A shard with more documents is rolled over whatever the policy says. */
const SHARD_DOCS_MAX = 200_000_000;

const ROLLOVER = 'indices:admin/rollover';

/** Data stream or alias that the index is rolled over by; a reason if there is none. */
function targetOf({ state, meta }: StepView): { readonly name: string } | { readonly problem: string } {
  const stream = dataStreamOf(state, meta.uuid);
  if (stream) return { name: stream.name };
  const alias = String(indexSetting(meta.settings, 'index.lifecycle.rollover_alias') ?? '');
  if (alias !== '') return { name: alias };
  const problem = `setting [index.lifecycle.rollover_alias] for index [${meta.name}] is empty or not defined`;
  return { problem };
}

/** Whether the index was rolled over by its alias or stream, by the policy or by hand. */
function isRolledOver({ state, meta }: StepView, target: string): boolean {
  const stream = dataStreamOf(state, meta.uuid);
  if (stream) return stream.indices.at(-1) !== meta.uuid;
  return meta.rolloverInfo !== undefined && Object.hasOwn(meta.rolloverInfo, target);
}

function aliasProblem({ state, meta }: StepView, alias: string): string | null {
  if (dataStreamOf(state, meta.uuid)) return null;
  if (!Object.hasOwn(meta.aliases, alias))
    return `index.lifecycle.rollover_alias [${alias}] does not point to index [${meta.name}]`;
  return meta.aliases[alias]!.isWriteIndex === false
    ? `index [${meta.name}] is not the write index for alias [${alias}]`
    : null;
}

/** Conditions with those that always hold: a shard is not over-full, and there is something to roll over. */
function conditionsOf(view: StepView, options: JsonObject): RolloverCondition[] {
  const needsDocuments = clusterSetting(view.state, ONLY_IF_DOCUMENTS) !== 'false' && options['min_docs'] === undefined;
  const limit = options['max_primary_shard_docs'] === undefined ? { max_primary_shard_docs: SHARD_DOCS_MAX } : {};
  return parseRolloverConditions({ ...options, ...limit, ...(needsDocuments ? { min_docs: 1 } : {}) });
}

function isReady(view: StepView, conditions: readonly RolloverCondition[]): boolean {
  const results = new Map(conditions.map((condition) => [condition.text, condition.met(view.measured!)]));
  return meetsConditions(conditions, results);
}

function checkReady(view: StepView, options: JsonObject): Verdict {
  const target = targetOf(view);
  if ('problem' in target) return { kind: 'fail', reason: target.problem };
  if (isRolledOver(view, target.name) || isTrue(view.meta.settings, 'index.lifecycle.indexing_complete')) return DONE;
  const problem = aliasProblem(view, target.name);
  if (problem !== null) return { kind: 'fail', reason: problem };
  if (view.measured === null) return { kind: 'measure' };
  return isReady(view, conditionsOf(view, options)) ? DONE : { kind: 'wait' };
}

function attempt(view: StepView): Verdict {
  const target = targetOf(view);
  if ('problem' in target) return { kind: 'fail', reason: target.problem };
  const { meta } = view;
  if (isRolledOver(view, target.name) || isTrue(meta.settings, 'index.lifecycle.indexing_complete')) return DONE;
  const problem = aliasProblem(view, target.name);
  if (problem !== null) return { kind: 'fail', reason: problem };
  const body = { alias: target.name, newName: null, body: {}, metConditions: [], answer: {}, onlyFrom: meta.uuid };
  return {
    kind: 'effect',
    effect: { kind: 'task', task: 'rollover', body, action: ROLLOVER, names: [target.name] },
  };
}

/** The index that is written to since the rollover; null if it is gone. */
function writeIndex({ state, meta }: StepView, target: string): IndexMetadata | null {
  const stream = dataStreamOf(state, meta.uuid);
  if (stream) return state.indices.get(stream.indices.at(-1)!) ?? null;
  const members = [...state.indices.values()].filter(
    (one) => one.uuid !== meta.uuid && Object.hasOwn(one.aliases, target),
  );
  return (
    members.find(({ aliases }) => aliases[target]!.isWriteIndex === true) ?? (members.length === 1 ? members[0]! : null)
  );
}

const waitForActiveShards: Step = {
  name: 'wait-for-active-shards',
  decide(view) {
    const target = targetOf(view);
    if ('problem' in target) return { kind: 'fail', reason: target.problem };
    const next = writeIndex(view, target.name);
    if (next === null) return DONE;
    const wanted = parseActiveShards(String(indexSetting(next.settings, 'index.write.wait_for_active_shards')));
    const least = wanted === 'all' ? 1 + next.numberOfReplicas : wanted;
    const table = view.state.routing.get(next.uuid) ?? [];
    if (table.every((copies) => copies.filter(isActive).length >= least)) return DONE;
    const active = table.flat().filter(isActive).length;
    return waits(`waiting for [${least}] shards to become active, but only [${active}] are active`);
  },
};

const updateDate: Step = {
  name: 'update-rollover-lifecycle-date',
  decide(view) {
    const target = targetOf(view);
    if ('problem' in target) return { kind: 'fail', reason: target.problem };
    const info = view.meta.rolloverInfo?.[target.name];
    const timeMs = isPlainObject(info) ? Number(info['time']) : NaN;
    if (Number.isFinite(timeMs)) return { kind: 'done', changes: { lifecycleDateMs: timeMs } };
    // An index whose writer has finished was not rolled over; its age begins with its creation.
    if (isTrue(view.meta.settings, 'index.lifecycle.indexing_complete') || dataStreamOf(view.state, view.meta.uuid))
      return DONE;
    return {
      kind: 'fail',
      reason:
        `no rollover info found for [${view.meta.name}] with rollover target [${target.name}], the index has not yet ` +
        'rolled over with that target',
    };
  },
};

/** Begins a new index behind an alias or data stream once the index is old or large enough. */
export const rollover: LifecycleActionType = {
  name: 'rollover',
  parse(options) {
    const conditions = parseRolloverConditions(options);
    if (!conditions.some(({ isMax }) => isMax))
      throw errors.illegalArgument('At least one max_* rollover condition must be set.');
    return options;
  },
  steps: (options) => [
    { name: 'check-rollover-ready', decide: (view) => checkReady(view, options) },
    { name: 'attempt-rollover', decide: attempt },
    waitForActiveShards,
    updateDate,
    {
      name: 'set-indexing-complete',
      decide: ({ meta }) => withSettings(meta, { 'index.lifecycle.indexing_complete': 'true' }),
    },
  ],
  describe: (options) => `rolls over by ${JSON.stringify(options)}`,
};
