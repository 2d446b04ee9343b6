import type { Impact, Indicator } from './indicator.js';

const IMPACTS: readonly Impact[] = [
  { id: 'ingest_disabled', severity: 1, description: 'The cluster cannot create, delete, or rebalance indices, and cannot insert or update documents.', areas: ['ingest'] },
  { id: 'automation_disabled', severity: 1, description: 'Scheduled tasks such as Watcher, Index Lifecycle Management, and Snapshot Lifecycle Management will not work. The _cat APIs will not work.', areas: ['deployment_management'] },
  { id: 'backup_disabled', severity: 3, description: 'Snapshot and restore will not work. Your data will not be backed up, and searchable snapshots cannot be mounted.', areas: ['backup'] },
];

/** Whether the node follows an elected master. */
export const masterIsStable: Indicator = ({ services }) => {
  const state = services.cluster.state();
  const master = state.nodes.get(state.masterNodeId ?? '');
  const node = { node_id: master?.id ?? null, name: master?.name ?? null };
  if (master) return { status: 'green', symptom: 'The cluster has a stable master node', details: { current_master: node, recent_masters: [node] } };
  return {
    status: 'red',
    symptom: 'No master node observed in the last 30s, and the cause has not been determined.',
    details: { current_master: node, recent_masters: [] },
    impacts: IMPACTS,
    diagnosis: [
      {
        id: 'contact_support',
        cause: 'The Elasticsearch cluster does not have a stable master node.',
        action: 'See whether a majority of the master-eligible nodes is running and can reach each other.',
        helpUrl: 'https://ela.st/fix-master',
        resources: { nodes: [...state.nodes.values()].filter((one) => one.roles.includes('master')).map((one) => ({ id: one.id, name: one.name })) },
      },
    ],
  };
};
