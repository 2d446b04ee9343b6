import { allPolicies } from '@shoal/automation';
import { type IndexMetadata, managedBy, operationMode } from '@shoal/state';
import type { Diagnosis, Impact, Indicator } from './indicator.js';

/** An index that is in the same action for longer has stopped moving. */
const ACTION_MS_MAX = 86_400_000;
/** A step that was tried more often in vain has stopped moving. */
const RETRIES_MAX = 100;
/** Actions that wait for documents, for a snapshot, or for the next phase. */
const PATIENT: ReadonlySet<string> = new Set(['rollover', 'wait_for_snapshot', 'complete']);

const DISABLED: Impact = {
  id: 'automation_disabled',
  severity: 3,
  description:
    'Automatic index lifecycle and data retention management is disabled. The performance and stability of the ' +
    'cluster could be impacted.',
  areas: ['deployment_management'],
};

const STAGNATING: Impact = {
  id: 'stagnating_index',
  severity: 3,
  description:
    'Automatic index lifecycle and data retention management cannot make progress on one or more indices. The ' +
    'performance and stability of the indices and/or the cluster could be impacted.',
  areas: ['deployment_management'],
};

const NOT_RUNNING: Diagnosis = {
  id: 'ilm_disabled',
  cause: 'Index Lifecycle Management has been stopped',
  action: 'Start Index Lifecycle Management using [POST /_ilm/start].',
  helpUrl: 'https://ela.st/fix-ilm',
  resources: {},
};

const stuck = (names: readonly string[]): Diagnosis => ({
  id: 'stagnating_action',
  cause: 'Some indices have been stagnated on an action longer than the expected time.',
  action:
    'Check the current status of the Index Lifecycle Management for every affected index using the ' +
    '[GET /<affected_index_name>/_ilm/explain] API. Please replace the <affected_index_name> in the API with the ' +
    'actual index name.',
  helpUrl: 'https://ela.st/ilm-explain',
  resources: { indices: names },
});

function stagnates({ lifecycle }: IndexMetadata, nowMs: number): boolean {
  if (lifecycle === undefined) return false;
  if ((lifecycle.retries ?? 0) > RETRIES_MAX) return true;
  return !PATIENT.has(lifecycle.action) && nowMs - lifecycle.actionTimeMs > ACTION_MS_MAX;
}

/** Indicator `ilm`: whether lifecycles run, and indices that do not get on. */
export const ilm: Indicator = ({ services }) => {
  const state = services.cluster.state();
  const mode = operationMode(state, 'ilm');
  const details = { policies: Object.keys(allPolicies(state)).length, ilm_status: mode };
  if (mode !== 'RUNNING')
    return {
      status: 'yellow',
      symptom: 'Index Lifecycle Management is not running',
      details,
      impacts: [DISABLED],
      diagnosis: [NOT_RUNNING],
    };
  const nowMs = services.clock.now();
  const names = [...state.indices.values()]
    .filter((meta) => managedBy(state, meta) === 'Index Lifecycle Management' && stagnates(meta, nowMs))
    .map(({ name }) => name)
    .sort();
  const counted = { ...details, stagnating_indices: names.length };
  if (names.length === 0)
    return { status: 'green', symptom: 'Index Lifecycle Management is running', details: counted };
  const whose = names.length === 1 ? 'An index has' : `${names.length} indices have`;
  return {
    status: 'yellow',
    symptom: `${whose} stayed on the same action longer than expected.`,
    details: counted,
    impacts: [STAGNATING],
    diagnosis: [stuck(names)],
  };
};
