import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SnapshotInfo } from '@shoal/coordinator';
import { planRestore, refuseIncomplete } from './restore-plan.js';
import { selectSnapshots } from './select-snapshots.js';

function snapshot(name: string, startedAtMs: number, rest: Partial<SnapshotInfo> = {}): SnapshotInfo {
  return {
    name,
    uuid: name,
    state: 'SUCCESS',
    indices: [],
    includeGlobalState: false,
    metadata: null,
    startedAtMs,
    endedAtMs: startedAtMs + 1,
    failures: [],
    totalShards: 0,
    ...rest,
  };
}

const all = [snapshot('day-1', 1), snapshot('day-2', 2), snapshot('now', 3, { state: 'IN_PROGRESS' })];
const select = (patterns: string[], ignoreUnavailable = false): string[] =>
  selectSnapshots('r', all, patterns, ignoreUnavailable).map((info) => info.name);

test('snapshots go by name, wildcard, _all and _current, exclusions behind', () => {
  assert.deepEqual(select(['day-*']), ['day-1', 'day-2']);
  assert.deepEqual(select(['_all', '-day-1']), ['day-2', 'now']);
  assert.deepEqual(select(['_current']), ['now']);
});

test('a missing snapshot is an error unless it may be missing', () => {
  assert.throws(() => select(['nope']), /\[r:nope\] is missing/);
  assert.deepEqual(select(['nope'], true), []);
});

const index = {
  name: 'logs-1',
  uuid: 'u',
  settings: { 'index.number_of_replicas': '1', 'index.refresh_interval': '5s' },
  mapping: {},
  aliases: { logs: {} },
  routingShards: 1024,
  shards: [],
};
const source = snapshot('s', 1, { indices: [index, { ...index, name: 'other' }] });

test('a restore renames by groups, overrides and drops settings, leaves aliases out when asked', () => {
  const body = {
    indices: 'logs-*',
    rename_pattern: 'logs-(\\d)',
    rename_replacement: 'old-$1',
    index_settings: { number_of_replicas: 0 },
    ignore_index_settings: ['index.refresh_interval'],
    include_aliases: false,
  };
  const [plan, ...others] = planRestore('r', source, body);
  assert.equal(others.length, 0);
  assert.deepEqual([plan!.name, plan!.settings, plan!.aliases], ['old-1', { 'index.number_of_replicas': '0' }, {}]);
});

test('a restore compiles its pattern once, and refuses one that no name needs', () => {
  const many = snapshot('m', 1, {
    indices: Array.from({ length: 2_000 }, (_, i) => ({ ...index, name: `logs-${i}` })),
  });
  const before = process.cpuUsage();
  const plan = planRestore('r', many, { rename_pattern: '(.)'.repeat(340), rename_replacement: '$1' });
  assert.deepEqual([plan.length, plan[7]!.name], [2_000, 'logs-7']);
  const { user } = process.cpuUsage(before);
  assert.ok(user < 5_000_000, `${user} us`);
  assert.throws(
    () => planRestore('r', source, { rename_pattern: '(.)'.repeat(342), rename_replacement: '$1' }),
    /\[rename_pattern\] is longer than \[1024\] characters/,
  );
});

test('a restore cannot change the number of shards', () => {
  assert.throws(
    () => planRestore('r', source, { index_settings: { number_of_shards: 3 } }),
    /cannot modify setting \[index.number_of_shards\] on restore/,
  );
});

test('an index of which the snapshot lacks shards is restored only if partial says so', () => {
  const partial = snapshot('s', 1, {
    indices: [index, { ...index, name: 'other' }],
    failures: [{ index: 'other', shard: 0, reason: 'no copy of it was there' }],
  });
  const whole = planRestore('r', partial, { indices: 'logs-*' });
  const lacking = planRestore('r', partial, {});
  refuseIncomplete('r', partial, whole, undefined);
  for (const given of [undefined, false])
    assert.throws(() => refuseIncomplete('r', partial, lacking, given), {
      type: 'snapshot_restore_exception',
      reason: "[r:s/s] index [other] wasn't fully snapshotted - cannot restore",
    });
  refuseIncomplete('r', partial, lacking, true);
  assert.throws(() => refuseIncomplete('r', { ...partial, state: 'FAILED' }, whole, true), {
    reason: '[r:s/s] unsupported snapshot state [FAILED]',
  });
});
