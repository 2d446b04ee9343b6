import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SnapshotInfo } from '@shoal/coordinator';
import { expiredSnapshots } from './retention.js';
import { nextRunMs, parseSnapshotPolicy } from './snapshot-policy.js';

const DAY_MS = 86_400_000;
const LIMITS = { nowMs: Date.UTC(2026, 10, 27), minimumInterval: '15m' };
const DAILY = { name: '<daily-{now/d}>', schedule: '0 30 1 * * ?', repository: 'backup' };

const refusal = (changes: object, id = 'daily'): string => {
  try {
    parseSnapshotPolicy(id, { ...DAILY, ...changes }, LIMITS);
    return 'accepted';
  } catch (error) {
    return (error as Error).message;
  }
};

for (const [changes, reason] of [
  [{ schedule: 'daily' }, 'Validation Failed: 1: invalid schedule [daily]: must be a valid cron expression;'],
  [
    { schedule: '0 * * * * ?' },
    'Validation Failed: 1: invalid schedule [0 * * * * ?]: schedule would be too frequent, executing more than every ' +
      '[15m];',
  ],
  [{ name: 'Daily' }, 'Validation Failed: 1: invalid snapshot name [Daily]: must be lowercase;'],
  [{ repository: undefined }, 'Required [repository]'],
  [{ retention: { min_count: 3, max_count: 2 } }, /cannot be larger/],
  [{ retention: { max_count: 0 } }, 'maximum snapshot count must be at least 1, but was: 0'],
  [{ config: { indexes: 'a' } }, 'Validation Failed: 1: invalid config: unknown parameter [indexes];'],
  [{ often: true }, '[snapshot_lifecycle] unknown field [often]'],
  [{}, 'accepted'],
] as const)
  test(`a policy with ${JSON.stringify(changes)}: ${String(reason)}`, () => {
    if (typeof reason === 'string') assert.equal(refusal(changes), reason);
    else assert.match(refusal(changes), reason);
  });

test('a policy runs after its last run, or after its last change; missed runs are one', () => {
  const stored = { policy: DAILY, version: 1, modifiedMs: LIMITS.nowMs, authentication: null };
  assert.equal(nextRunMs(stored), LIMITS.nowMs + 1.5 * 3_600_000);
  const lastYear = { ...stored, modifiedMs: 0, triggeredMs: LIMITS.nowMs - 365 * DAY_MS };
  assert.ok(nextRunMs(lastYear)! < LIMITS.nowMs, 'it is overdue');
  assert.ok(nextRunMs({ ...lastYear, triggeredMs: LIMITS.nowMs })! > LIMITS.nowMs, 'one run catches up');
});

const snapshot = (name: string, day: number, state = 'SUCCESS'): SnapshotInfo =>
  ({ name, state, startedAtMs: day * DAY_MS }) as unknown as SnapshotInfo;

const gone = (retention: object, snapshots: readonly SnapshotInfo[], day: number): string =>
  expiredSnapshots(retention, snapshots, day * DAY_MS)
    .map(({ name }) => name)
    .join();

const FIVE = [1, 2, 3, 4, 5].map((day) => snapshot(`s${day}`, day));

test('snapshots go by age, but min_count of them stay, and max_count at most', () => {
  assert.equal(gone({ expire_after: '2d' }, FIVE, 6), 's1,s2,s3');
  assert.equal(gone({ expire_after: '2d', min_count: 3 }, FIVE, 6), 's1,s2');
  assert.equal(gone({ max_count: 2 }, FIVE, 6), 's1,s2,s3');
  assert.equal(gone({ expire_after: '1d', min_count: 5 }, FIVE, 600), '');
  assert.equal(gone({}, FIVE, 600), '');
});

test('an unsuccessful snapshot goes once a later one succeeded; one that runs stays', () => {
  const some = [
    snapshot('a', 1, 'FAILED'),
    snapshot('b', 2),
    snapshot('c', 3, 'PARTIAL'),
    snapshot('d', 4, 'IN_PROGRESS'),
  ];
  assert.equal(gone({ max_count: 5 }, some, 9), 'a');
  assert.equal(gone({ expire_after: '7d' }, some, 9), 'a');
});
