import { errors } from '@shoal/errors';
import { type ClusterState, operationMode } from '@shoal/state';
import { formatTimeValue, matchesWildcard } from '@shoal/values';
import { retentionStats, snapshotPolicies } from './snapshot-lifecycle-runner.js';
import { nextRunMs, NO_STATS, type StoredSnapshotPolicy } from './snapshot-policy.js';

type Json = Record<string, unknown>;

function time(key: string, ms: number, isHuman: boolean): Json {
  return { ...(isHuman ? { [key]: new Date(ms).toISOString() } : {}), [`${key}_millis`]: ms };
}

function statsJson(id: string, stats: StoredSnapshotPolicy['stats']): Json {
  const { taken, failed, deleted, deletionFailures } = { ...NO_STATS, ...stats };
  return {
    policy: id,
    snapshots_taken: taken,
    snapshots_failed: failed,
    snapshots_deleted: deleted,
    snapshot_deletion_failures: deletionFailures,
  };
}

function policyJson(state: ClusterState, id: string, stored: StoredSnapshotPolicy, isHuman: boolean): Json {
  const { policy, version, modifiedMs, lastSuccess, lastFailure, running, stats } = stored;
  const nextMs = operationMode(state, 'slm') === 'RUNNING' ? nextRunMs(stored) : null;
  return {
    version,
    ...(isHuman ? { modified_date: new Date(modifiedMs).toISOString() } : {}),
    modified_date_millis: modifiedMs,
    policy,
    ...(lastSuccess
      ? {
          last_success: {
            snapshot_name: lastSuccess.snapshot,
            ...(isHuman ? { start_time_string: new Date(lastSuccess.startMs).toISOString() } : {}),
            start_time: lastSuccess.startMs,
            ...(isHuman ? { time_string: new Date(lastSuccess.endMs).toISOString() } : {}),
            time: lastSuccess.endMs,
          },
        }
      : {}),
    ...(lastFailure
      ? {
          last_failure: {
            snapshot_name: lastFailure.snapshot,
            ...(isHuman ? { time_string: new Date(lastFailure.atMs).toISOString() } : {}),
            time: lastFailure.atMs,
            details: lastFailure.details,
          },
        }
      : {}),
    ...(nextMs === null ? {} : time('next_execution', nextMs, isHuman)),
    ...(running
      ? {
          in_progress: {
            name: running.snapshot,
            uuid: '_na_',
            state: 'STARTED',
            ...time('start_time', running.startMs, isHuman),
          },
        }
      : {}),
    stats: statsJson(id, stats),
  };
}

/** The answer of `GET _slm/policy`. Throws resource_not_found_exception for names that match nothing. */
export function snapshotPoliciesJson(state: ClusterState, wanted: readonly string[], isHuman: boolean): Json {
  const all = snapshotPolicies(state);
  const known = Object.keys(all).sort();
  const found = wanted.length === 0 ? known : known.filter((id) => wanted.some((name) => matchesWildcard(name, id)));
  if (found.length === 0 && wanted.length > 0) {
    const why = known.length === 0 ? ', no policies are configured' : '';
    throw errors.resourceNotFound(`snapshot lifecycle policy or policies [${wanted.join(', ')}] not found${why}`);
  }
  return Object.fromEntries(found.map((id) => [id, policyJson(state, id, all[id]!, isHuman)]));
}

/** The answer of `GET _slm/stats`. */
export function snapshotLifecycleStats(state: ClusterState): Json {
  const { runs, failed, timedOut, tookMs } = retentionStats(state);
  const policies = Object.entries(snapshotPolicies(state)).sort(([a], [b]) => (a < b ? -1 : 1));
  const sum = (key: keyof typeof NO_STATS): number =>
    policies.reduce((total, [, { stats }]) => total + (stats?.[key] ?? 0), 0);
  return {
    retention_runs: runs,
    retention_failed: failed,
    retention_timed_out: timedOut,
    retention_deletion_time: formatTimeValue(tookMs),
    retention_deletion_time_millis: tookMs,
    total_snapshots_taken: sum('taken'),
    total_snapshots_failed: sum('failed'),
    total_snapshots_deleted: sum('deleted'),
    total_snapshot_deletion_failures: sum('deletionFailures'),
    policy_stats: policies.map(([id, { stats }]) => statsJson(id, stats)),
  };
}
