import { clusterSetting } from '@shoal/state';
import type { Impact, Indicator } from './indicator.js';

/** Retries after which an index counts as stagnating, and the most indices that are listed. */
const RETRIES = 'data_streams.lifecycle.signalling.error_retry_interval';
const LISTED_MAX = 'data_streams.lifecycle.max_errors_to_publish';

const STAGNATING: Impact = {
  id: 'stagnating_backing_index',
  severity: 3,
  description:
    'Data streams backing indices cannot make progress in their lifecycle. The performance and stability of the ' +
    'indices and/or the cluster could be impacted.',
  areas: ['deployment_management'],
};

/** Indicator `data_stream_lifecycle`: backing indices at which lifecycles of data streams fail again and again. */
export const dataStreamLifecycle: Indicator = ({ services, streamFailures }) => {
  if (streamFailures === null)
    return {
      status: 'unknown',
      symptom:
        'No data stream lifecycle health data available yet. Health information will be reported after the first ' +
        'run.',
    };
  const state = services.cluster.state();
  const failures = Object.entries(streamFailures);
  const retries = Number(clusterSetting(state, RETRIES));
  const stuck = failures
    .filter(([, failure]) => failure.retries >= retries)
    .sort(([, a], [, b]) => b.retries - a.retries)
    .slice(0, Number(clusterSetting(state, LISTED_MAX)))
    .map(([uuid, { firstMs, retries: count }]) => ({
      index_name: state.indices.get(uuid)?.name ?? uuid,
      first_occurrence_timestamp: firstMs,
      retry_count: count,
    }));
  const details = { stagnating_backing_indices_count: stuck.length, total_backing_indices_in_error: failures.length };
  if (stuck.length === 0)
    return { status: 'green', symptom: 'Data streams are executing their lifecycles without issues', details };
  const whose = stuck.length === 1 ? 'A backing index has' : `${stuck.length} backing indices have`;
  return {
    status: 'yellow',
    symptom: `${whose} repeatedly encountered errors whilst trying to advance in its lifecycle`,
    details: { ...details, stagnating_backing_indices: stuck },
    impacts: [STAGNATING],
    diagnosis: [
      {
        id: 'stagnating_dsl_backing_index',
        cause: 'Some backing indices are repeatedly encountering errors in their lifecycle execution.',
        action:
          'Check the current status of the affected indices using the ' +
          '[GET /<affected_index_name>/_lifecycle/explain] API. Please replace the <affected_index_name> in the API ' +
          'with the actual index name (or the data stream name for a wider overview).',
        helpUrl: 'https://ela.st/explain-data-stream-lifecycle',
        resources: { indices: stuck.map((one) => one.index_name) },
      },
    ],
  };
};
