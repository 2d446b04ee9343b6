import { type ClusterState, isDataNode, type NodeInfo, requiredFreeBytes, watermark } from '@shoal/cluster';
import type { Diagnosis, HealthFacts, Impact, Indication, Indicator } from './indicator.js';

const READ_ONLY = 'index.blocks.read_only_allow_delete';

interface Disks {
  readonly enough: readonly NodeInfo[];
  readonly high: readonly NodeInfo[];
  readonly flood: readonly NodeInfo[];
  readonly unknown: readonly NodeInfo[];
}

function diskOf({ reports }: HealthFacts, node: NodeInfo): { total: number; free: number } | null {
  const fs = reports.find((report) => report.node.id === node.id)?.json['fs'] as { total?: Record<string, number> } | undefined;
  const [total, free] = [fs?.total?.['total_in_bytes'], fs?.total?.['available_in_bytes']];
  return total === undefined || free === undefined ? null : { total, free };
}

function sortDisks(facts: HealthFacts, state: ClusterState): Disks {
  const { settings } = facts.services.node;
  const [high, flood] = [watermark(state, 'high', settings), watermark(state, 'flood_stage', settings)];
  const sorted = { enough: [] as NodeInfo[], high: [] as NodeInfo[], flood: [] as NodeInfo[], unknown: [] as NodeInfo[] };
  for (const node of [...state.nodes.values()].filter(isDataNode)) {
    const disk = diskOf(facts, node);
    if (disk === null) sorted.unknown.push(node);
    else if (disk.free < requiredFreeBytes(flood, disk.total)) sorted.flood.push(node);
    else if (disk.free < requiredFreeBytes(high, disk.total)) sorted.high.push(node);
    else sorted.enough.push(node);
  }
  return sorted;
}

const many = (count: number, one: string, more: string): string => `${count} ${count === 1 ? one : more}`;

function symptomOf({ high, flood, unknown }: Disks, blocked: number): string {
  const low = high.length + flood.length;
  if (blocked > 0) return `${many(blocked, 'index is', 'indices are')} not allowed to be updated. ${many(low, 'node is', 'nodes are')} out of disk or running low on disk space.`;
  if (low > 0) return `${many(low, 'node with role: [data] is', 'nodes with role: [data] are')} out of disk or running low on disk space.`;
  return unknown.length > 0 ? `No disk usage data available for ${many(unknown.length, 'node', 'nodes')}.` : 'The cluster has enough available disk space.';
}

const INGEST: Impact = {
  id: 'ingest_capability_unavailable',
  severity: 1,
  description: 'Cannot insert or update documents in the affected indices.',
  areas: ['ingest'],
};
const AT_RISK: Impact = { id: 'ingest_capability_at_risk', severity: 1, description: 'The cluster is at risk of not being able to insert or update documents in the affected indices.', areas: ['ingest'] };

function diagnose({ high, flood }: Disks, blocked: readonly string[]): Diagnosis[] {
  const nodes = [...flood, ...high].map(({ id, name }) => ({ id, name }));
  if (nodes.length === 0 && blocked.length === 0) return [];
  return [
    {
      id: 'add_disk_capacity_data_nodes',
      cause: `${many(blocked.length, 'index resides', 'indices reside')} on nodes that have run or are likely to run out of disk space, this can temporarily disable writing on these indices.`,
      action: 'Enable autoscaling (if applicable), add disk capacity or free up disk space to resolve this. If you have already taken action please wait for the rebalancing to complete.',
      helpUrl: 'https://ela.st/fix-data-disk',
      resources: { ...(nodes.length > 0 ? { nodes } : {}), ...(blocked.length > 0 ? { indices: blocked } : {}) },
    },
  ];
}

function statusOf({ high, flood, unknown }: Disks, blocked: number): Indication['status'] {
  if (blocked > 0 || flood.length > 0) return 'red';
  if (high.length > 0) return 'yellow';
  return unknown.length > 0 ? 'unknown' : 'green';
}

/** Whether the disks of the data nodes are below their watermarks. */
export const disk: Indicator = (facts) => {
  const state = facts.services.cluster.state();
  const disks = sortDisks(facts, state);
  const blocked = [...state.indices.values()].filter((meta) => meta.settings[READ_ONLY] === 'true').map((meta) => meta.name);
  const status = statusOf(disks, blocked.length);
  return {
    status,
    symptom: symptomOf(disks, blocked.length),
    details: {
      indices_with_readonly_block: blocked.length,
      nodes_with_enough_disk_space: disks.enough.length,
      nodes_with_unknown_disk_status: disks.unknown.length,
      nodes_over_high_watermark: disks.high.length,
      nodes_over_flood_stage_watermark: disks.flood.length,
    },
    impacts: blocked.length > 0 ? [INGEST] : status === 'red' || status === 'yellow' ? [AT_RISK] : [],
    diagnosis: diagnose(disks, blocked),
  };
};
