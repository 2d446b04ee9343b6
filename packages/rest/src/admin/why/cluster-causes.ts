import { nodeShutdowns, requiredFreeBytes, watermark } from '@shoal/cluster';
import { type ClusterState, clusterSetting, isDataNode } from '@shoal/state';
import { formatByteSize } from '@shoal/values';
import type { NodeReport } from '../nodes.js';
import type { Services } from '../../services.js';
import { type Cause, type RemedyCall, resetClusterSettings } from './cause.js';

/** Cause: this node knows no elected master. */
function noMaster(state: ClusterState): Cause[] {
  if (state.masterNodeId !== null) return [];
  const voters = state.votingConfiguration;
  const known = voters.filter((id) => state.nodes.has(id)).map((id) => state.nodes.get(id)!.name);
  const needed = Math.floor(voters.length / 2) + 1;
  return [
    {
      severity: 'red',
      about: 'cluster',
      why:
        `this node follows no elected master: ${needed} of the ${voters.length} voting nodes have to reach each ` +
        'other',
      evidence: [
        `voting nodes: ${voters.map((id) => state.nodes.get(id)?.name ?? id).join(', ')}`,
        `known to this node: ${known.join(', ') || 'none'}`,
      ],
      advice:
        'start the voting nodes that are down and see that they reach each other on [transport.port]; ' +
        '[discovery.seed_hosts] has to name them',
      mend: [{ does: 'asks this node alone what it knows', method: 'GET', path: '/_cluster/health?local=true' }],
    },
  ];
}

const CLUSTER_BLOCKS: Readonly<Record<number, string>> = {
  6: 'cluster.blocks.read_only',
  13: 'cluster.blocks.read_only_allow_delete',
};

function clusterBlocks(state: ClusterState): Cause[] {
  return state.blocks
    .filter((block) => block.indexUuid === null && CLUSTER_BLOCKS[block.id] !== undefined)
    .map((block): Cause => {
      const setting = CLUSTER_BLOCKS[block.id]!;
      return {
        severity: 'blocked',
        about: 'cluster',
        why: `nothing can be changed: [${setting}] is on`,
        mend: [resetClusterSettings('lets the cluster be changed again', [setting])],
      };
    });
}

function allocationOff(state: ClusterState, services: Services): Cause[] {
  const setting = 'cluster.routing.allocation.enable';
  const value = clusterSetting(state, setting, services.node.settings);
  if (value === 'all') return [];
  return [
    {
      severity: 'warning',
      about: 'cluster',
      why: `[${setting}] is [${String(value)}]: not all copies may be placed`,
      mend: [resetClusterSettings('lets all copies be placed', [setting])],
    },
  ];
}

const MARKS: readonly (readonly [name: Parameters<typeof watermark>[1], effect: string])[] = [
  ['flood_stage', 'indices with a copy on it cannot be written to'],
  ['high', 'copies are moved away from it'],
  ['low', 'no new replicas are placed on it'],
];

/** Cause: disks of data nodes are above a watermark; of a node, the highest watermark counts. */
function disks(state: ClusterState, services: Services, reports: readonly NodeReport[]): Cause[] {
  return reports
    .filter(({ node }) => isDataNode(node))
    .flatMap(({ node, json }): Cause[] => {
      const total = (json['fs'] as { total?: Record<string, number> } | undefined)?.total;
      if (total === undefined) return [];
      const [size, free] = [total['total_in_bytes'] ?? 0, total['available_in_bytes'] ?? 0];
      const over = MARKS.find(
        ([name]) => free < requiredFreeBytes(watermark(state, name, services.node.settings), size),
      );
      if (over === undefined) return [];
      const [name, effect] = over;
      return [
        {
          severity: name === 'flood_stage' ? 'blocked' : 'warning',
          about: `node ${node.name}`,
          why: `its disk is over the ${name} watermark: ${effect}`,
          evidence: [
            `${formatByteSize(free)} of ${formatByteSize(size)} are free, ` +
              `[cluster.routing.allocation.disk.watermark.${name}] is ` +
              `[${watermark(state, name, services.node.settings).text}]`,
          ],
          advice: 'give the node more disk, or delete indices that are not needed',
          mend: [
            {
              does: 'lists indices by size',
              method: 'GET',
              path: '/_cat/indices?v&s=store.size:desc&h=index,store.size,docs.count',
            },
          ],
        },
      ];
    });
}

/** Fill level of a breaker from which the next large request is likely to be refused. */
const FULL = 0.95;

const ROOM: readonly RemedyCall[] = [
  { does: 'shows what runs and for how long', method: 'GET', path: '/_tasks?detailed=true&actions=*search*,*bulk*' },
];

function breakers({ node, json }: NodeReport): Cause[] {
  const all = Object.entries((json['breakers'] ?? {}) as Record<string, Record<string, number>>);
  return all
    .filter(
      ([, one]) =>
        one['limit_size_in_bytes']! > 0 && one['estimated_size_in_bytes']! >= FULL * one['limit_size_in_bytes']!,
    )
    .map(
      ([name, one]): Cause => ({
        severity: 'warning',
        about: `node ${node.name}`,
        why: `the circuit breaker [${name}] is nearly full: requests are answered with 429`,
        evidence: [
          `${one['estimated_size']} of ${one['limit_size']}, ${one['tripped']} requests refused since the start`,
        ],
        advice: 'send fewer or smaller requests at once, or give the node more memory',
        mend: ROOM,
      }),
    );
}

function pools({ node, json }: NodeReport): Cause[] {
  const all = Object.entries((json['thread_pool'] ?? {}) as Record<string, Record<string, number>>);
  return all
    .filter(([, one]) => one['queue']! > 0 && one['rejected']! > 0)
    .map(
      ([name, one]): Cause => ({
        severity: 'warning',
        about: `node ${node.name}`,
        why: `more [${name}] requests come than the node can do: some are answered with 429`,
        evidence: [
          `${one['active']} are worked on, ${one['queue']} wait, ${one['rejected']} were refused since the start`,
        ],
        advice: 'send fewer requests, or add nodes and replicas',
        mend: ROOM,
      }),
    );
}

function leavingNodes(state: ClusterState): Cause[] {
  return Object.entries(nodeShutdowns(state)).flatMap(([nodeId, shutdown]): Cause[] =>
    shutdown === undefined
      ? []
      : [
          {
            severity: 'warning',
            about: `node ${state.nodes.get(nodeId)?.name ?? nodeId}`,
            why: `it was told to leave the cluster (${shutdown.type}): ${shutdown.reason}`,
            mend: [
              { does: 'keeps it after all', method: 'DELETE', path: `/_nodes/${encodeURIComponent(nodeId)}/shutdown` },
            ],
          },
        ],
  );
}

/** Causes that concern the cluster or its nodes. */
export function clusterCauses(services: Services, reports: readonly NodeReport[]): Cause[] {
  const state = services.cluster.state();
  return [
    ...noMaster(state),
    ...clusterBlocks(state),
    ...allocationOff(state, services),
    ...disks(state, services, reports),
    ...reports.flatMap(breakers),
    ...reports.flatMap(pools),
    ...leavingNodes(state),
  ];
}
