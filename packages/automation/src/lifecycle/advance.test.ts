import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type ClusterState,
  emptyState,
  type IndexMetadata,
  type LifecycleExecution,
  type LifecyclePolicy,
  type StoredPolicy,
} from '@shoal/state';
import { type Advance, advance, afterStep, dateInName, ERROR, failed } from './advance.js';
import { forecast } from './forecast.js';
import { parsePolicy } from './parse-policy.js';
import type { Measurements } from './step.js';

const DAY_MS = 86_400_000;
const CREATED_MS = Date.UTC(2026, 10, 1);
const SIZES: Measurements = {
  ageMs: 0,
  docs: 10,
  sizeBytes: 1000,
  primaryShardBytes: 1000,
  primaryShardDocs: 10,
};

const policyOf = (phases: unknown): StoredPolicy => ({
  policy: parsePolicy({ policy: { phases } }),
  version: 1,
  modifiedMs: 0,
  authentication: null,
});

function index(more: Partial<IndexMetadata> = {}): IndexMetadata {
  const settings = {
    'index.creation_date': String(CREATED_MS),
    'index.lifecycle.name': 'p',
    'index.lifecycle.rollover_alias': 'logs',
    ...more.settings,
  };
  return {
    name: 'logs-000001',
    uuid: 'u1',
    state: 'open',
    mapping: {},
    aliases: { logs: { isWriteIndex: true } },
    version: 1,
    mappingVersion: 1,
    settingsVersion: 1,
    aliasesVersion: 1,
    numberOfShards: 1,
    numberOfRoutingShards: 1,
    routingPartitionSize: 1,
    numberOfReplicas: 0,
    primaryTerms: [1],
    inSync: [[]],
    ...more,
    settings,
  };
}

const stateOf = (...metas: IndexMetadata[]): ClusterState => ({
  ...emptyState(),
  indices: new Map(metas.map((meta) => [meta.uuid, meta])),
});

interface Options {
  readonly nowMs?: number;
  readonly measured?: Measurements | null;
  readonly retries?: boolean;
}

function run(meta: IndexMetadata, stored: StoredPolicy, options: Options = {}): Advance {
  const { nowMs = CREATED_MS, measured = null, retries = false } = options;
  return advance({ state: stateOf(meta), meta, stored, nowMs, measured, retries });
}

const at = ({ phase, action, step }: LifecycleExecution): string => `${phase}/${action}/${step}`;

const HOT = { hot: { actions: { set_priority: { priority: 100 }, rollover: { max_docs: 10 } } } };

test('a new index enters the hot phase at once, and does its first step', () => {
  const first = run(index(), policyOf(HOT));
  assert.equal(at(first.execution), 'hot/set_priority/set_priority');
  assert.deepEqual(first.effect, {
    kind: 'task',
    task: 'update-settings',
    body: { uuids: ['u1'], settings: { 'index.priority': '100' } },
    action: 'indices:admin/settings/update',
    names: ['logs-000001'],
  });
});

test('the same state gives the same place and the same effect, as often as one asks', () => {
  const meta = index({ lifecycle: run(index(), policyOf(HOT)).execution });
  assert.deepEqual(run(meta, policyOf(HOT)), run(meta, policyOf(HOT)));
  assert.equal(run(meta, policyOf(HOT)).execution, meta.lifecycle);
});

test('an effect that was done is not done again', () => {
  const { execution } = run(index(), policyOf(HOT));
  const meta = index({ lifecycle: execution, settings: { 'index.priority': '100' } });
  const next = run(meta, policyOf(HOT));
  assert.equal(at(next.execution), 'hot/rollover/check-rollover-ready');
  assert.equal(next.measures, true);
});

function beforeRollover(options: Options = {}, more: Partial<IndexMetadata> = {}): Advance {
  const stored = policyOf({ hot: { actions: { rollover: { max_docs: 10 } } } });
  const lifecycle = run(index(), stored).execution;
  return run(index({ lifecycle, ...more }), stored, options);
}

test('an index is rolled over once its conditions are met, and it holds a document', () => {
  assert.equal(at(beforeRollover({ measured: { ...SIZES, docs: 9 } }).execution), 'hot/rollover/check-rollover-ready');
  const ready = beforeRollover({ measured: SIZES });
  assert.equal(at(ready.execution), 'hot/rollover/attempt-rollover');
  assert.equal(ready.effect?.kind === 'task' && ready.effect.body['onlyFrom'], 'u1');
  const aged = policyOf({ hot: { actions: { rollover: { max_age: '1d' } } } });
  const lifecycle = run(index(), aged).execution;
  const empty = { ...SIZES, docs: 0, ageMs: 2 * DAY_MS };
  assert.equal(at(run(index({ lifecycle }), aged, { measured: empty }).execution), 'hot/rollover/check-rollover-ready');
});

test('an index that was rolled over by hand goes on, its age begins with the rollover', () => {
  const rolledMs = CREATED_MS + DAY_MS;
  const done = beforeRollover({ nowMs: rolledMs + 1 }, { rolloverInfo: { logs: { time: rolledMs } } });
  assert.equal(at(done.execution), 'hot/rollover/set-indexing-complete');
  assert.equal(done.execution.lifecycleDateMs, rolledMs);
});

for (const [what, more, reason] of [
  [
    'no rollover alias',
    { settings: { 'index.lifecycle.rollover_alias': '' } },
    'setting [index.lifecycle.rollover_alias] for index [logs-000001] is empty or not defined',
  ],
  [
    'an alias of other indices',
    { aliases: {} },
    'index.lifecycle.rollover_alias [logs] does not point to index [logs-000001]',
  ],
  [
    'an alias that writes elsewhere',
    { aliases: { logs: { isWriteIndex: false } } },
    'index [logs-000001] is not the write index for alias [logs]',
  ],
] as const)
  test(`a rollover with ${what} fails, and is tried again at polls only`, () => {
    const { execution } = beforeRollover({}, more as Partial<IndexMetadata>);
    assert.equal(execution.step, ERROR);
    assert.deepEqual(execution.stepInfo, { type: 'illegal_argument_exception', reason });
    const again = beforeRollover({ retries: true }, { ...more, lifecycle: execution } as Partial<IndexMetadata>);
    assert.equal(again.execution.retries, 1);
    assert.equal(beforeRollover({}, { ...more, lifecycle: execution } as Partial<IndexMetadata>).execution, execution);
    const mended = beforeRollover({ retries: true }, { lifecycle: execution });
    assert.equal(at(mended.execution), 'hot/rollover/check-rollover-ready');
  });

test('a phase begins at its age, which is counted from the origination date if there is one', () => {
  const stored = policyOf({ delete: { min_age: '3d', actions: { delete: {} } } });
  const lifecycle = run(index(), stored).execution;
  assert.equal(at(lifecycle), 'new/complete/complete');
  const after = (ms: number, settings = {}): Advance =>
    run(index({ lifecycle, settings }), stored, { nowMs: CREATED_MS + ms });
  assert.equal(after(3 * DAY_MS - 1).execution, lifecycle);
  assert.equal(at(after(3 * DAY_MS).execution), 'delete/delete/delete');
  assert.deepEqual(after(3 * DAY_MS).effect?.kind, 'task');
  const older = { 'index.lifecycle.origination_date': String(CREATED_MS - 3 * DAY_MS) };
  assert.equal(at(after(0, older).execution), 'delete/delete/delete');
  assert.equal(after(-400 * DAY_MS).execution, lifecycle, 'a clock that jumps back');
});

test('a clock that jumps a year ahead makes an index as old as it says; set back, it deletes nothing early', () => {
  const stored = policyOf({
    hot: { actions: { rollover: { max_age: '1d' } } },
    warm: { min_age: '2d', actions: { readonly: {}, set_priority: { priority: 50 } } },
    delete: { min_age: '3d', actions: { delete: {} } },
  });
  const [yearMs, beforeMs] = [365 * DAY_MS, CREATED_MS + DAY_MS / 2];
  const hot = run(index(), stored, { nowMs: beforeMs }).execution;
  const ahead = run(index({ lifecycle: hot }), stored, {
    nowMs: beforeMs + yearMs,
    measured: { ...SIZES, ageMs: beforeMs + yearMs - CREATED_MS },
  });
  assert.equal(at(ahead.execution), 'hot/rollover/attempt-rollover', 'once, not for each day');
  const rolloverInfo = { logs: { time: beforeMs + yearMs } };
  const settings = { 'index.lifecycle.indexing_complete': 'true' };
  const rolled = index({ lifecycle: ahead.execution, rolloverInfo, settings });
  const { execution } = run(rolled, stored, { nowMs: beforeMs + yearMs });
  assert.equal(at(execution), 'hot/complete/complete');

  const after = (nowMs: number, lifecycle = execution): Advance => run({ ...rolled, lifecycle }, stored, { nowMs });
  assert.equal(after(beforeMs + 30 * DAY_MS).execution, execution, 'its age is counted from the time of the rollover');
  const warm = after(beforeMs + yearMs + 2 * DAY_MS).execution;
  assert.equal(at(warm), 'warm/set_priority/set_priority');
  const prioritised = { ...rolled, lifecycle: warm, settings: { ...rolled.settings, 'index.priority': '50' } };
  const back = run(prioritised, stored, { nowMs: beforeMs });
  assert.equal(at(back.execution), 'warm/readonly/readonly', 'what a phase has begun goes on');
  assert.equal(after(beforeMs, back.execution).effect?.kind, 'task');
});

test('a date at the end of the name is the origination date', () => {
  assert.equal(dateInName('logs-2026.11.27-000002'), Date.UTC(2026, 10, 27));
  assert.equal(dateInName('logs-2026.02.30'), null);
  assert.equal(dateInName('logs-000002'), null);
});

test('a changed policy counts at once if the phase keeps its steps, else for later indices', () => {
  const stored = policyOf({ hot: { actions: { rollover: { max_docs: 10 } } } });
  const lifecycle = run(index(), stored).execution;
  const changed = (phases: unknown): LifecycleExecution =>
    run(index({ lifecycle }), { ...policyOf(phases), version: 2 }).execution;
  assert.equal(changed({ hot: { actions: { rollover: { max_docs: 5 } } } }).definition.version, 2);
  assert.equal(changed({ hot: { actions: { rollover: { max_docs: 5 }, readonly: {} } } }).definition.version, 1);
  assert.equal(changed({ warm: { actions: {} } }).definition.version, 1);
});

test('after a failed effect the place is that of the step, after its success that of the next', () => {
  const { execution } = run(index(), policyOf(HOT));
  const lost = failed(execution, { type: 'security_exception', reason: 'no' }, 5);
  assert.equal(lost.failedStep, 'set_priority');
  assert.equal(at(afterStep(execution, 5)), 'hot/rollover/check-rollover-ready');
});

test('a forecast gives the days of all phases, and extrapolates the growth', () => {
  const phases = {
    hot: { actions: { rollover: { max_docs: 40, max_age: '30d' } } },
    warm: { min_age: '2d', actions: { readonly: {} } },
    delete: { min_age: '5d', actions: { delete: {} } },
  };
  const nowMs = CREATED_MS + DAY_MS;
  const events = forecast({
    meta: index(),
    policy: 'p',
    stored: policyOf(phases),
    measured: SIZES,
    nowMs,
    untilMs: nowMs + 30 * DAY_MS,
  });
  const days = events.map(({ action, atMs, isEstimate }) => [action, (atMs - CREATED_MS) / DAY_MS, isEstimate]);
  assert.deepEqual(days, [
    ['rollover', 4, true],
    ['readonly', 6, true],
    ['delete', 9, true],
  ]);
});

const refusal = (phases: unknown): string => {
  try {
    parsePolicy({ policy: { phases } });
  } catch (error) {
    for (let one = error as { causedBy?: unknown; message: string }; ; one = one.causedBy as typeof one)
      if (one.causedBy === undefined) return one.message;
  }
  return 'accepted';
};

for (const [phases, reason] of [
  [{ hot: { actions: { forcemerge: { max_num_segments: 1 } } } }, /^the \[forcemerge\] action\(s\) may not be used/],
  [{ lukewarm: { actions: {} } }, /^Timeseries lifecycle does not support phase \[lukewarm\]$/],
  [{ frozen: { actions: {} } }, /^policy specifies the \[frozen\] phase without a corresponding/],
  [{ delete: { actions: { rollover: { max_docs: 1 } } } }, /^invalid action \[rollover\] defined in phase \[delete\]$/],
  [{ hot: { actions: { melt: {} } } }, /^unknown field \[melt\]$/],
  [{ cold: { actions: { searchable_snapshot: {} } } }, /^Required \[snapshot_repository\]$/],
  [
    { hot: { actions: { searchable_snapshot: { snapshot_repository: 'r' } } } },
    /^the \[searchable_snapshot\] action\(s\) may not be used in the \[hot\] phase without/,
  ],
  [
    {
      cold: { actions: { searchable_snapshot: { snapshot_repository: 'r' } } },
      frozen: { actions: { searchable_snapshot: { snapshot_repository: 's' } } },
    },
    /with differing repositories \[r, s\]/,
  ],
  [
    {
      hot: { actions: { rollover: { max_docs: 1 }, searchable_snapshot: { snapshot_repository: 'r' } } },
      warm: { actions: { forcemerge: { max_num_segments: 1 } } },
    },
    /^phases \[warm\] define one or more of \[forcemerge, shrink, downsample\] actions which are not allowed/,
  ],
  [{ hot: { actions: { rollover: { min_docs: 1 } } } }, /^At least one max_\* rollover condition must be set\.$/],
  [{ hot: { actions: { rollover: {} } } }, /^At least one max_\*/],
  [{ hot: { actions: { rollover: { max_docs: 'many' } } } }, /^For input string: "many"$/],
  [{ warm: { actions: { allocate: { require: { rack: {} } } } } }, /the value of \[rack\] must be a text/],
  [{ warm: { actions: { allocate: { number_of_replicas: 1.5 } } } }, /must be >= 0$/],
  [{ warm: { actions: { shrink: {} } } }, /^Either \[number_of_shards\]/],
  [{ warm: { min_age: '-5d', actions: {} } }, /negative/],
  [{ warm: { min_age: 5, actions: {} } }, /min_age doesn't support values of type: VALUE_NUMBER/],
  [{ warm: {} }, /^Required \[actions\]$/],
  [
    { warm: { min_age: '10s', actions: {} }, delete: { min_age: '5s', actions: { delete: {} } } },
    /^Your policy is configured to run the delete phase \(min_age: 5s\) before the warm phase \(min_age: 10s\)\./,
  ],
] as const)
  test(`a policy is refused: ${JSON.stringify(phases)}`, () => assert.match(refusal(phases), reason));

test('policies of shippers are taken as they are sent', () => {
  const filebeat: LifecyclePolicy = parsePolicy({
    policy: { phases: { hot: { actions: { rollover: { max_primary_shard_size: '50gb', max_age: '30d' } } } } },
  });
  assert.deepEqual(filebeat.phases['hot'], {
    min_age: '0ms',
    actions: { rollover: { max_primary_shard_size: '50gb', max_age: '30d' } },
  });
});
