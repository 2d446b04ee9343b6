import { drainingNode } from '@shoal/cluster';
import {
  type ClusterState,
  clusterSetting,
  type HealthStatus,
  isActive,
  isDataNode,
  isRelocationTarget,
  type ShardRouting,
} from '@shoal/state';
import { type Diagnosis, type Impact, type Indicator, shownNames } from './indicator.js';

type Kind = 'creating' | 'initializing' | 'restarting' | 'started' | 'unassigned';

interface Copy {
  readonly routing: ShardRouting;
  readonly index: string;
  readonly kind: Kind;
}

const isNew = ({ recoverySource, unassigned }: ShardRouting): boolean =>
  recoverySource === 'EMPTY_STORE' && (unassigned?.failedAttempts ?? 0) === 0;

/**
 * Kind of a copy. A copy that waits for a restarting node is not counted as lost, and neither is a new primary that
 * was never assigned.
 */
function kindOf(state: ClusterState, copy: ShardRouting): Kind {
  if (isActive(copy)) return 'started';
  if (copy.state === 'INITIALIZING') return 'initializing';
  const { reason, delayedUntilMs, lastNodeId, status } = copy.unassigned ?? {};
  if (
    reason === 'NODE_RESTARTING' &&
    (delayedUntilMs !== undefined || drainingNode(state, lastNodeId ?? '')?.type === 'RESTART')
  )
    return 'restarting';
  return copy.primary && isNew(copy) && status !== 'deciders_no' ? 'creating' : 'unassigned';
}

function copiesOf(state: ClusterState): Copy[] {
  return [...state.indices.values()].flatMap((meta) =>
    (state.routing.get(meta.uuid) ?? [])
      .flat()
      .filter((copy) => !isRelocationTarget(copy))
      .map((routing) => ({ routing, index: meta.name, kind: kindOf(state, routing) })),
  );
}

const part = (count: number, what: string): string[] =>
  count === 0 ? [] : [`${count} ${what} shard${count > 1 ? 's' : ''}`];

const SHOWN_KINDS: readonly (readonly [Kind, string])[] = [
  ['unassigned', 'unavailable'],
  ['creating', 'creating'],
  ['initializing', 'initializing'],
  ['restarting', 'restarting'],
];

function symptomOf(copies: readonly Copy[]): string {
  const count = (kind: Kind, primary: boolean): number =>
    copies.filter((copy) => copy.kind === kind && copy.routing.primary === primary).length;
  const parts = [true, false].flatMap((primary) =>
    SHOWN_KINDS.flatMap(([kind, word]) => part(count(kind, primary), `${word} ${primary ? 'primary' : 'replica'}`)),
  );
  return parts.length === 0 ? 'This cluster has all shards available.' : `This cluster has ${parts.join(', ')}.`;
}

const named = (indices: readonly string[]): string =>
  `${indices.length} ${indices.length === 1 ? 'index' : 'indices'} ${shownNames(indices)}`;

const indicesOf = (copies: readonly Copy[]): string[] => [...new Set(copies.map(({ index }) => index))].sort();

function impactsOf(lost: readonly Copy[]): Impact[] {
  const red = indicesOf(lost.filter(({ routing }) => routing.primary));
  const yellow = indicesOf(lost.filter(({ routing }) => !routing.primary)).filter((index) => !red.includes(index));
  return [
    ...(red.length > 0
      ? [
          {
            id: 'primary_unassigned',
            severity: 1,
            description: `Cannot add data to ${named(red)}. Searches might return incomplete results.`,
            areas: ['ingest', 'search'],
          },
        ]
      : []),
    ...(yellow.length > 0
      ? [
          {
            id: 'replica_unassigned',
            severity: 2,
            description:
              'Searches might be slower than usual. Fewer redundant ' + `copies of the data exist on ${named(yellow)}.`,
            areas: ['search'],
          },
        ]
      : []),
  ];
}

type Cause = Omit<Diagnosis, 'resources'>;

const ISNT_ALLOWED = "Elasticsearch isn't allowed to allocate some shards from these indices";

const CAUSES: Readonly<Record<'gone' | 'indexOff' | 'clusterOff' | 'fewNodes' | 'other', Cause>> = {
  gone: {
    id: 'restore_from_snapshot',
    cause:
      "Elasticsearch isn't allowed to allocate some shards because there are no copies of the shards in the " +
      'cluster. Elasticsearch will allocate these shards when nodes holding good copies of the data join the ' +
      'cluster.',
    action: 'If no such node is available, restore these indices from a recent snapshot.',
    helpUrl: 'https://ela.st/restore-snapshot',
  },
  indexOff: {
    id: 'enable_index_allocations',
    cause: `${ISNT_ALLOWED} because allocation for those shards has been disabled at the index level.`,
    action: 'Check that the [index.routing.allocation.enable] index settings are set to [all].',
    helpUrl: 'https://ela.st/fix-index-allocation',
  },
  clusterOff: {
    id: 'enable_cluster_allocations',
    cause: `${ISNT_ALLOWED} because allocation for those shards has been disabled at the cluster level.`,
    action: 'Check that the [cluster.routing.allocation.enable] cluster setting is set to [all].',
    helpUrl: 'https://ela.st/fix-cluster-allocation',
  },
  fewNodes: {
    id: 'increase_tier_capacity_for_allocations',
    cause: `${ISNT_ALLOWED} because there are not enough nodes to allocate each shard copy on a different node.`,
    action:
      'Increase the number of nodes in the cluster or decrease the number of replica shards in the affected indices.',
    helpUrl: 'https://ela.st/tier-capacity',
  },
  other: {
    id: 'explain_allocations',
    cause: `${ISNT_ALLOWED} to any of the nodes in the cluster.`,
    action:
      'Diagnose the issue by calling the allocation explain API for an index [GET _cluster/allocation/explain]. ' +
      'Choose a node to which you expect a shard to be allocated, find this node in the node-by-node explanation, ' +
      'and address the reasons which prevent Elasticsearch from allocating the shard.',
    helpUrl: 'https://ela.st/diagnose-shards',
  },
};

function causeOf(state: ClusterState, { routing }: Copy): Cause | null {
  const { status } = routing.unassigned ?? {};
  if (status === 'no_valid_shard_copy') return CAUSES.gone;
  if (
    status === 'delayed_allocation' ||
    routing.unassigned?.delayedUntilMs !== undefined ||
    status === 'fetching_shard_data' ||
    status === 'deciders_throttled'
  )
    return null;
  const meta = state.indices.get(routing.indexUuid)!;
  if ((meta.settings['index.routing.allocation.enable'] ?? 'all') !== 'all') return CAUSES.indexOff;
  if (clusterSetting(state, 'cluster.routing.allocation.enable') !== 'all') return CAUSES.clusterOff;
  return !routing.primary && meta.numberOfReplicas >= [...state.nodes.values()].filter(isDataNode).length
    ? CAUSES.fewNodes
    : CAUSES.other;
}

function diagnose(state: ClusterState, lost: readonly Copy[]): Diagnosis[] {
  const byCause = new Map<Cause, Copy[]>();
  for (const copy of lost) {
    const cause = causeOf(state, copy);
    if (cause) byCause.set(cause, [...(byCause.get(cause) ?? []), copy]);
  }
  return [...byCause].map(([cause, copies]) => ({ ...cause, resources: { indices: indicesOf(copies) } }));
}

function statusOf(copies: readonly Copy[]): HealthStatus {
  const bad = copies.filter(({ kind }) => kind === 'unassigned');
  if (bad.some(({ routing }) => routing.primary)) return 'red';
  const isWaiting = copies.some(
    ({ kind, routing }) => kind === 'creating' || (kind === 'initializing' && routing.primary && !isNew(routing)),
  );
  return bad.length > 0 || isWaiting ? 'yellow' : 'green';
}

/** Indicator `shards_availability`: whether all copies have started, and what prevents the others. */
export const shardsAvailability: Indicator = ({ services }) => {
  const state = services.cluster.state();
  const copies = copiesOf(state);
  const lost = copies.filter(({ kind }) => kind === 'unassigned');
  const kinds: readonly Kind[] = ['creating', 'initializing', 'restarting', 'started', 'unassigned'];
  const count = (kind: Kind, primary: boolean): number =>
    copies.filter((copy) => copy.kind === kind && copy.routing.primary === primary).length;
  return {
    status: statusOf(copies),
    symptom: symptomOf(copies),
    details: Object.fromEntries(
      kinds.flatMap((kind) => [
        [`${kind}_primaries`, count(kind, true)],
        [`${kind}_replicas`, count(kind, false)],
      ]),
    ),
    impacts: impactsOf(lost),
    diagnosis: diagnose(state, lost),
  };
};
