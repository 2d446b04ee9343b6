import type { ClusterState, NodeInfo } from '@shoal/state';
import type { Diagnosis, Impact, Indicator } from './indicator.js';

const IMPACTS: readonly Impact[] = [
  {
    id: 'ingest_disabled',
    severity: 1,
    description: 'The cluster cannot create, delete, or rebalance indices, and cannot insert or update documents.',
    areas: ['ingest'],
  },
  {
    id: 'automation_disabled',
    severity: 1,
    description:
      'Scheduled tasks such as Watcher, Index Lifecycle Management, and Snapshot Lifecycle Management will not ' +
      'work. The _cat APIs will not work.',
    areas: ['deployment_management'],
  },
  {
    id: 'backup_disabled',
    severity: 3,
    description:
      'Snapshot and restore will not work. Your data will not be backed up, and searchable snapshots cannot be ' +
      'mounted.',
    areas: ['backup'],
  },
];

/** Most changes of the master in half an hour before it counts as unstable. */
const CHANGES_MAX = 4;
const HELP = 'https://ela.st/getting-help';

const shown = ({ id, name }: NodeInfo): object => ({ node_id: id, name });

/** Why the elected master is unstable; null if it is stable. */
function unrest(history: readonly (NodeInfo | null)[]): string | null {
  const masters = history.filter((master) => master !== null);
  const changes = masters.filter(({ id }, i) => i > 0 && masters[i - 1]!.id !== id).length;
  if (changes >= CHANGES_MAX) return `The elected master node has changed ${changes} times in the last 30m`;
  const losses = history.filter((master, i) => master === null && i > 0 && history[i - 1] !== null).length;
  const names = [...new Set(masters.map(({ name }) => name))].join(', ');
  return losses >= CHANGES_MAX
    ? `The cluster's master has alternated between [${names}] and no master multiple times in the last 30m`
    : null;
}

function diagnose(state: ClusterState, action: string, helpUrl: string): Diagnosis {
  const eligible = [...state.nodes.values()].filter(({ roles }) => roles.includes('master'));
  return {
    id: 'contact_support',
    cause: 'The Elasticsearch cluster does not have a stable master node.',
    action,
    helpUrl,
    resources: { nodes: eligible.map(({ id, name }) => ({ id, name })) },
  };
}

/** Indicator `master_is_stable`: whether this node follows an elected master that does not change often. */
export const masterIsStable: Indicator = ({ services }) => {
  const state = services.cluster.state();
  const history = services.cluster.recentMasters();
  const master = state.nodes.get(state.masterNodeId ?? '');
  const details = {
    current_master: master ? shown(master) : { node_id: null, name: null },
    recent_masters: history.filter((one) => one !== null).map(shown),
  };
  const why = unrest(history);
  if (master && why === null) return { status: 'green', symptom: 'The cluster has a stable master node', details };
  if (master)
    return {
      status: 'yellow',
      symptom: why!,
      details,
      impacts: IMPACTS,
      diagnosis: [diagnose(state, `Get help at ${HELP}`, HELP)],
    };
  return {
    status: 'red',
    symptom: 'No master node observed in the last 30s, and the cause has not been determined.',
    details,
    impacts: IMPACTS,
    diagnosis: [
      diagnose(
        state,
        'See whether a majority of the master-eligible nodes is running and can reach each other.',
        'https://ela.st/fix-master',
      ),
    ],
  };
};
