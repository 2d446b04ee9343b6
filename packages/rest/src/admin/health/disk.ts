import { requiredFreeBytes, watermark } from '@shoal/cluster';
import { type ClusterState, isDataNode, type NodeInfo } from '@shoal/state';
import {
  type Diagnosis,
  type HealthFacts,
  type Impact,
  type Indication,
  type Indicator,
  shownNames,
} from './indicator.js';

const READ_ONLY = 'index.blocks.read_only_allow_delete';

interface Disks {
  readonly enough: readonly NodeInfo[];
  readonly high: readonly NodeInfo[];
  readonly flood: readonly NodeInfo[];
  readonly unknown: readonly NodeInfo[];
}

function diskOf({ reports }: HealthFacts, node: NodeInfo): { total: number; free: number } | null {
  const fs = reports.find((report) => report.node.id === node.id)?.json['fs'] as
    | { total?: Record<string, number> }
    | undefined;
  const [total, free] = [fs?.total?.['total_in_bytes'], fs?.total?.['available_in_bytes']];
  return total === undefined || free === undefined ? null : { total, free };
}

function sortDisks(facts: HealthFacts, state: ClusterState): Disks {
  const { settings } = facts.services.node;
  const [high, flood] = [watermark(state, 'high', settings), watermark(state, 'flood_stage', settings)];
  const sorted = {
    enough: [] as NodeInfo[],
    high: [] as NodeInfo[],
    flood: [] as NodeInfo[],
    unknown: [] as NodeInfo[],
  };
  for (const node of state.nodes.values()) {
    const disk = diskOf(facts, node);
    if (disk === null) sorted.unknown.push(node);
    else if (disk.free < requiredFreeBytes(flood, disk.total)) sorted.flood.push(node);
    else if (disk.free < requiredFreeBytes(high, disk.total)) sorted.high.push(node);
    else sorted.enough.push(node);
  }
  return sorted;
}

const many = (count: number, one: string, more: string): string => `${count} ${count === 1 ? one : more}`;
const OUT = 'out of disk or running low on disk space.';

const lowOf = ({ flood, high }: Disks): readonly NodeInfo[] => [...flood, ...high];
const rolesOf = (nodes: readonly NodeInfo[]): string[] => [...new Set(nodes.flatMap(({ roles }) => roles))].sort();

function symptomOf(disks: Disks, blocked: number): string {
  const low = lowOf(disks);
  const are = many(low.length, 'node is', 'nodes are');
  if (blocked > 0) {
    const then =
      low.length > 0
        ? `${are} ${OUT}`
        : 'The cluster is recovering and ingest capabilities should be restored within a few minutes.';
    return `${many(blocked, 'index is', 'indices are')} not allowed to be updated. ${then}`;
  }
  if (low.length > 0) {
    const roles = rolesOf(low);
    return (
      `${many(low.length, 'node', 'nodes')} with ${roles.length === 1 ? 'role' : 'roles'}: [${roles.join(', ')}] ` +
      `${low.length === 1 ? 'is' : 'are'} ${OUT}`
    );
  }
  return disks.unknown.length > 0
    ? `No disk usage data available for ${many(disks.unknown.length, 'node', 'nodes')}.`
    : 'The cluster has enough available disk space.';
}

function ingestImpacts(data: readonly NodeInfo[], blocked: boolean, affected: readonly string[]): Impact[] {
  const indices = `documents in the affected indices ${shownNames(affected)}.`;
  if (blocked)
    return [
      {
        id: 'ingest_capability_unavailable',
        severity: 1,
        description: `Cannot insert or update ${indices}`,
        areas: ['ingest'],
      },
    ];
  const atRisk: Impact = {
    id: 'ingest_capability_at_risk',
    severity: 1,
    description: `The cluster is at risk of not being able to insert or update ${indices}`,
    areas: ['ingest'],
  };
  const lost =
    `${many(data.length, 'node is', 'nodes are')} ${OUT} ${data.length === 1 ? 'this node' : 'these nodes'} cannot ` +
    'be used to store data anymore.';
  return [
    ...(affected.length > 0 ? [atRisk] : []),
    ...(data.length > 0
      ? [{ id: 'ingest_capability_at_risk', severity: 2, description: lost, areas: ['deployment_management'] }]
      : []),
  ];
}

const KEEPS_DATA = /^(data(_.*)?|master|voting_only)$/;

function impactsOf(low: readonly NodeInfo[], blocked: boolean, affected: readonly string[]): Impact[] {
  const others = rolesOf(low).filter((role) => !KEEPS_DATA.test(role));
  return [
    ...ingestImpacts(low.filter(isDataNode), blocked, affected),
    ...(low.some(isMasterEligible)
      ? [
          {
            id: 'cluster_stability_at_risk',
            severity: 1,
            description: 'Cluster stability might be impaired.',
            areas: ['deployment_management'],
          },
        ]
      : []),
    ...(others.length > 0
      ? [
          {
            id: 'cluster_functionality_unavailable',
            severity: 3,
            description: `The [${others.join(', ')}] functionality might be impaired.`,
            areas: ['deployment_management'],
          },
        ]
      : []),
  ];
}

const isMasterEligible = ({ roles }: NodeInfo): boolean => roles.includes('master');
const named = (nodes: readonly NodeInfo[]): object[] => nodes.map(({ id, name }) => ({ id, name }));

function diagnoseData(nodes: readonly NodeInfo[], affected: readonly string[]): Diagnosis[] {
  if (nodes.length === 0 && affected.length === 0) return [];
  const which = affected.length === 1 ? 'this index' : 'these indices';
  const reside =
    `${many(affected.length, 'index resides', 'indices reside')} on nodes that have run or are likely to run out ` +
    `of disk space, this can temporarily disable writing on ${which}.`;
  return [
    {
      id: 'add_disk_capacity_data_nodes',
      cause: affected.length === 0 ? 'Disk is almost full.' : reside,
      action:
        'Enable autoscaling (if applicable), add disk capacity or free up disk space to resolve this. If you have ' +
        'already taken action please wait for the rebalancing to complete.',
      helpUrl: 'https://ela.st/fix-data-disk',
      resources: { nodes: named(nodes), indices: affected },
    },
  ];
}

/** Diagnosis for nodes without data, for which only a larger disk helps. */
function diagnoseOthers(id: string, nodes: readonly NodeInfo[], helpUrl: string): Diagnosis[] {
  if (nodes.length === 0) return [];
  return [
    {
      id,
      cause: 'Disk is almost full.',
      action: 'Please add capacity to the current nodes, or replace them with ones with higher capacity.',
      helpUrl,
      resources: { nodes: named(nodes) },
    },
  ];
}

function diagnose(low: readonly NodeInfo[], affected: readonly string[]): Diagnosis[] {
  const [data, rest] = [low.filter(isDataNode), low.filter((node) => !isDataNode(node))];
  return [
    ...diagnoseData(data, affected),
    ...diagnoseOthers(
      'add_disk_capacity_master_nodes',
      rest.filter(isMasterEligible),
      'https://ela.st/fix-master-disk',
    ),
    ...diagnoseOthers(
      'add_disk_capacity',
      rest.filter((node) => !isMasterEligible(node)),
      'https://ela.st/fix-disk-space',
    ),
  ];
}

function indicesOn(state: ClusterState, nodes: readonly NodeInfo[]): string[] {
  const ids = new Set(nodes.map(({ id }) => id));
  return [...state.indices.values()]
    .filter(({ uuid }) =>
      (state.routing.get(uuid) ?? []).flat().some(({ nodeId }) => nodeId !== null && ids.has(nodeId)),
    )
    .map(({ name }) => name)
    .sort();
}

function statusOf({ high, flood, unknown }: Disks, blocked: number): Indication['status'] {
  if (blocked > 0 || flood.length > 0) return 'red';
  if (high.length > 0) return 'yellow';
  return unknown.length > 0 ? 'unknown' : 'green';
}

/** Indicator `disk`: whether the disks of the nodes are below their watermarks. */
export const disk: Indicator = (facts) => {
  const state = facts.services.cluster.state();
  const disks = sortDisks(facts, state);
  const low = lowOf(disks);
  const blocked = [...state.indices.values()]
    .filter((meta) => meta.settings[READ_ONLY] === 'true')
    .map((meta) => meta.name)
    .sort();
  const affected = blocked.length > 0 ? blocked : indicesOn(state, low.filter(isDataNode));
  return {
    status: statusOf(disks, blocked.length),
    symptom: symptomOf(disks, blocked.length),
    details: {
      indices_with_readonly_block: blocked.length,
      nodes_with_enough_disk_space: disks.enough.length,
      nodes_with_unknown_disk_status: disks.unknown.length,
      nodes_over_high_watermark: disks.high.length,
      nodes_over_flood_stage_watermark: disks.flood.length,
    },
    impacts: impactsOf(low, blocked.length > 0, affected),
    diagnosis: diagnose(low, affected),
  };
};
