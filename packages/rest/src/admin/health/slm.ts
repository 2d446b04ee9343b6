import { snapshotPolicies } from '@shoal/automation';
import { operationMode } from '@shoal/state';
import { type Indicator, shownNames } from './indicator.js';

/** Failures in a row after which a policy is unhealthy: `slm.health.failed_snapshot_warn_threshold` of 8.12. */
const FAILURES_MAX = 5;

/** Indicator `slm`: whether snapshots are taken, and policies whose snapshots fail. */
export const slm: Indicator = ({ services }) => {
  const state = services.cluster.state();
  const mode = operationMode(state, 'slm');
  const policies = Object.entries(snapshotPolicies(state));
  const details = { slm_status: mode, policies: policies.length };
  if (policies.length === 0)
    return { status: 'green', symptom: 'No Snapshot Lifecycle Management policies configured', details };
  if (mode !== 'RUNNING')
    return {
      status: 'yellow',
      symptom: 'Snapshot Lifecycle Management is not running',
      details,
      impacts: [
        {
          id: 'automation_disabled',
          severity: 3,
          description: 'Scheduled snapshots are not running. New backup snapshots will not be created automatically.',
          areas: ['backup'],
        },
      ],
      diagnosis: [
        {
          id: 'slm_disabled',
          cause: 'Snapshot Lifecycle Management has been stopped',
          action: 'Start Snapshot Lifecycle Management using [POST /_slm/start].',
          helpUrl: 'https://ela.st/fix-slm',
          resources: {},
        },
      ],
    };
  const failing = policies.filter(([, { failuresSinceSuccess = 0 }]) => failuresSinceSuccess >= FAILURES_MAX);
  if (failing.length === 0) return { status: 'green', symptom: 'Snapshot Lifecycle Management is running', details };
  const ids = failing.map(([id]) => id).sort();
  const counts = Object.fromEntries(failing.map(([id, { failuresSinceSuccess }]) => [id, failuresSinceSuccess]));
  return {
    status: 'yellow',
    symptom: `Encountered [${ids.length}] unhealthy snapshot lifecycle management policies.`,
    details: { ...details, unhealthy_policies: { count: ids.length, invocations_since_last_success: counts } },
    impacts: [
      {
        id: 'stale_snapshots',
        severity: 2,
        description: `Some automated snapshots have not succeeded recently. Policies: ${shownNames(ids)}.`,
        areas: ['backup'],
      },
    ],
    diagnosis: [
      {
        id: 'check_recent_snapshot_failures',
        cause: 'An automated snapshot policy is unhealthy: its snapshots have failed again and again.',
        action: 'Check the snapshot lifecycle policies for detailed failure info: [GET /_slm/policy].',
        helpUrl: 'https://ela.st/fix-recent-snapshot-failures',
        resources: { slm_policies: ids },
      },
    ],
  };
};
