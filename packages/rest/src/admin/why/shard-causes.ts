import { drainingNode, type TaskBodies } from '@shoal/cluster';
import { type ClusterState, type IndexMetadata, isDataNode, type ShardRouting } from '@shoal/state';
import { toApiError } from '@shoal/errors';
import { formatTimeValue } from '@shoal/values';
import type { Services } from '../../services.js';
import { type Cause, indexSettings, type RemedyCall, resetClusterSettings } from './cause.js';

/**
 * Most groups for which the master is asked for an explanation; other groups are explained from the cluster state
 * alone.
 */
const EXPLAINED_MAX = 20;
const SHARDS_SHOWN = 20;
const EXPLAIN_MS = 10_000;

interface Decider {
  readonly decider: string;
  readonly decision: string;
  readonly explanation: string;
}

interface NodeVerdict {
  readonly node_name: string;
  readonly store?: { readonly in_sync?: boolean; readonly allocation_id?: string };
  readonly deciders?: readonly Decider[];
}

/** Members of the answer of `_cluster/allocation/explain` that are used. */
interface Explanation {
  readonly can_allocate?: string;
  readonly allocate_explanation?: string;
  readonly remaining_delay_in_millis?: number;
  readonly node_allocation_decisions?: readonly NodeVerdict[];
}

/** Copies of one index that have not started for the same reason. */
interface CopyGroup {
  readonly meta: IndexMetadata;
  readonly copies: ShardRouting[];
}

function groupsOf(state: ClusterState, metas: readonly IndexMetadata[]): CopyGroup[] {
  const groups = new Map<string, CopyGroup>();
  for (const meta of metas) {
    for (const copy of (state.routing.get(meta.uuid) ?? []).flat()) {
      if (copy.state === 'STARTED' || copy.state === 'RELOCATING' || copy.relocatingNodeId) continue;
      const { status = '', reason = '', failedAttempts = 0 } = copy.unassigned ?? {};
      const key = JSON.stringify([meta.uuid, copy.primary, copy.state, status, reason, failedAttempts > 0]);
      const group = groups.get(key);
      if (group) group.copies.push(copy);
      else groups.set(key, { meta, copies: [copy] });
    }
  }
  return [...groups.values()].sort((a, b) => Number(b.copies[0]!.primary) - Number(a.copies[0]!.primary));
}

const nameOf = (state: ClusterState, nodeId: string | undefined): string =>
  state.nodes.get(nodeId ?? '')?.name ?? nodeId ?? 'an unknown node';

function aboutOf({ meta, copies }: CopyGroup): Pick<Cause, 'about' | 'index' | 'shards' | 'severity'> {
  const { primary, state, recoverySource } = copies[0]!;
  // While a new primary starts for the first time, no data is missing.
  const isFirstStart = state === 'INITIALIZING' && recoverySource === 'EMPTY_STORE';
  const shards = [...new Set(copies.map(({ shard }) => String(shard)))].slice(0, SHARDS_SHOWN);
  const kind = primary ? 'primary' : 'replica';
  return {
    severity: primary && !isFirstStart ? 'red' : 'yellow',
    about: `index ${meta.name}, shard ${shards.join(', ')} (${kind})`,
    index: meta.name,
    shards,
  };
}

async function explain(services: Services, { meta, copies }: CopyGroup): Promise<Explanation | null> {
  const { shard, primary } = copies[0]!;
  const body: TaskBodies['explain-allocation'] = {
    shard: { index: meta.name, shard, primary, currentNode: null },
    includeYes: false,
  };
  try {
    return (await services.cluster.submit('explain-allocation', body, {
      timeoutMs: EXPLAIN_MS,
      masterTimeoutMs: EXPLAIN_MS,
    })) as Explanation;
  } catch (error) {
    return { allocate_explanation: `the master did not explain it: ${toApiError(error).message}` };
  }
}

function evidenceOf({ allocate_explanation: text, node_allocation_decisions: nodes = [] }: Explanation): string[] {
  const said = nodes.flatMap(({ node_name: node, deciders = [] }) =>
    deciders
      .filter(({ decision }) => decision !== 'YES')
      .map((one) => `node ${node}, ${one.decider}: ${one.explanation}`),
  );
  return [...(text === undefined ? [] : [text]), ...said].slice(0, SHARDS_SHOWN);
}

/** Deciders that refuse on every node; if there are none, those that refuse on some node. */
function obstacles({ node_allocation_decisions: nodes = [] }: Explanation): ReadonlySet<string> {
  const refusing = nodes.map(
    ({ deciders = [] }) => new Set(deciders.filter(({ decision }) => decision !== 'YES').map(({ decider }) => decider)),
  );
  const everywhere = [...(refusing[0] ?? [])].filter((decider) => refusing.every((set) => set.has(decider)));
  return everywhere.length > 0 ? new Set(everywhere) : new Set(refusing.flatMap((set) => [...set]));
}

type Remedy = (
  state: ClusterState,
  group: CopyGroup,
) => { readonly why: string; readonly mend: readonly RemedyCall[]; readonly advice?: string };

const FILTER = /^index\.routing\.allocation\.(require|include|exclude)\./;
const CLUSTER_FILTER = /^cluster\.routing\.allocation\.(require|include|exclude)\./;

const RETRY: RemedyCall = {
  does: 'tries again those that failed too often',
  method: 'POST',
  path: '/_cluster/reroute?retry_failed=true',
};

function filterMends(state: ClusterState, { meta }: CopyGroup): RemedyCall[] {
  const own = Object.keys(meta.settings).filter((name) => FILTER.test(name) && !name.endsWith('_tier_preference'));
  const cluster = [state.persistentSettings, state.transientSettings].flatMap((settings) =>
    Object.keys(settings).filter((name) => CLUSTER_FILTER.test(name)),
  );
  return [
    ...(own.length > 0
      ? [
          indexSettings(
            'takes the filters of the index away',
            meta.name,
            Object.fromEntries(own.map((name) => [name, null])),
          ),
        ]
      : []),
    ...(cluster.length > 0 ? [resetClusterSettings('takes the filters of the cluster away', cluster)] : []),
  ];
}

/** Remedies by decider, the easiest decider first. */
const REMEDIES: Readonly<Record<string, Remedy>> = {
  max_retry: (_state, { copies }) => ({
    why:
      `it failed to start ${copies[0]!.unassigned?.failedAttempts ?? 0} times: ` +
      `${copies[0]!.unassigned?.details ?? 'for an unknown reason'}`,
    mend: [RETRY],
    advice: 'mend what made it fail first',
  }),
  enable: (_state, { meta }) => {
    const isOwn = (meta.settings['index.routing.allocation.enable'] ?? 'all') !== 'all';
    return isOwn
      ? {
          why: '[index.routing.allocation.enable] forbids it',
          mend: [
            indexSettings('lets copies of the index be placed', meta.name, { 'index.routing.allocation.enable': null }),
          ],
        }
      : {
          why: '[cluster.routing.allocation.enable] forbids it',
          mend: [resetClusterSettings('lets all copies be placed', ['cluster.routing.allocation.enable'])],
        };
  },
  filter: (state, group) => ({ why: 'allocation filters leave no node for it', mend: filterMends(state, group) }),
  data_tier: (_state, { meta }) => ({
    why: 'no node has a role of the tiers that the index prefers',
    mend: [
      indexSettings('lets it be on any tier', meta.name, { 'index.routing.allocation.include._tier_preference': null }),
    ],
  }),
  shards_limit: (state, { meta }) => ({
    why: 'every node has as many shards as it may have',
    mend:
      meta.settings['index.routing.allocation.total_shards_per_node'] === undefined
        ? [resetClusterSettings('takes the limit away', ['cluster.routing.allocation.total_shards_per_node'])]
        : [
            indexSettings('takes the limit away', meta.name, {
              'index.routing.allocation.total_shards_per_node': null,
            }),
          ],
    advice: `or add nodes to the ${state.nodes.size} that there are`,
  }),
  same_shard: (state, { meta }) => {
    const dataNodes = [...state.nodes.values()].filter(isDataNode).length;
    const fitting = Math.max(0, dataNodes - 1);
    return {
      why:
        `a node cannot have two copies of a shard: ${1 + meta.numberOfReplicas} copies need as many data nodes, ` +
        `there ${dataNodes === 1 ? 'is 1' : `are ${dataNodes}`}`,
      advice: `add ${1 + meta.numberOfReplicas - dataNodes > 1 ? 'data nodes' : 'a data node'} to keep all copies`,
      mend: [
        indexSettings('asks for no more copies than there are nodes', meta.name, {
          'index.number_of_replicas': fitting,
        }),
      ],
    };
  },
  disk_threshold: () => ({
    why: 'the disks that it could be on are too full',
    advice: 'give the nodes more disk, or delete indices that are not needed',
    mend: [
      {
        does: 'lists indices by size',
        method: 'GET',
        path: '/_cat/indices?v&s=store.size:desc&h=index,store.size,docs.count',
      },
    ],
  }),
  awareness: () => ({
    why: 'too many of its copies would be in one zone',
    advice: 'add nodes in the other zones',
    mend: [
      resetClusterSettings('places copies without regard to zones', [
        'cluster.routing.allocation.awareness.attributes',
      ]),
    ],
  }),
  node_shutdown: () => ({
    why: 'the nodes that it could be on were told to leave',
    mend: [{ does: 'lists the shutdowns', method: 'GET', path: '/_nodes/shutdown' }],
  }),
  replica_after_primary_active: () => ({ why: 'its primary does not run yet', mend: [] }),
  throttling: () => ({
    why: 'it waits for its turn: other copies recover',
    mend: [{ does: 'shows what recovers', method: 'GET', path: '/_cat/recovery?v&active_only=true' }],
  }),
};

function lostPrimary(
  state: ClusterState,
  { meta, copies }: CopyGroup,
  { node_allocation_decisions: nodes = [] }: Explanation,
): Omit<Cause, 'about' | 'severity'> {
  const { shard, unassigned } = copies[0]!;
  const stale = nodes.find(({ store }) => store?.allocation_id !== undefined && store.in_sync === false);
  const place = {
    index: meta.name,
    shard,
    node: stale?.node_name ?? [...state.nodes.values()].find(isDataNode)?.name ?? '<node>',
    accept_data_loss: true,
  };
  const command = stale ? 'allocate_stale_primary' : 'allocate_empty_primary';
  const does = stale
    ? `goes on with the older copy on [${stale.node_name}]: writes that it missed are LOST`
    : 'begins anew with an empty shard: its documents are LOST';
  const lastNodeId = unassigned?.lastNodeId;
  return {
    why:
      'no node has a copy with all acknowledged writes' +
      (lastNodeId === undefined ? '' : `; the last one was on [${nameOf(state, lastNodeId)}]`),
    advice: 'start the node that had it again, or restore the index from a snapshot; only if neither is possible:',
    mend: [{ does, method: 'POST', path: '/_cluster/reroute', body: { commands: [{ [command]: place }] } }],
  };
}

function delayed(
  state: ClusterState,
  { meta, copies }: CopyGroup,
  { remaining_delay_in_millis: leftMs }: Explanation,
): Omit<Cause, 'about' | 'severity'> {
  const { lastNodeId } = copies[0]!.unassigned ?? {};
  const isRestarting = drainingNode(state, lastNodeId ?? '')?.type === 'RESTART';
  return {
    why:
      `its node [${nameOf(state, lastNodeId)}] ${isRestarting ? 'restarts' : 'has left'} and may come ` +
      `back${leftMs === undefined ? '' : ` within ${formatTimeValue(leftMs)}`}; then its copy is used again`,
    mend: [indexSettings('makes a new copy at once', meta.name, { 'index.unassigned.node_left.delayed_timeout': '0' })],
  };
}

function starting(state: ClusterState, { copies }: CopyGroup): Omit<Cause, 'about' | 'severity'> {
  const { nodeId, primary } = copies[0]!;
  return {
    why: `it ${primary ? 'starts' : 'is copied'} on [${nameOf(state, nodeId ?? undefined)}]`,
    mend: [{ does: 'shows how far it is', method: 'GET', path: '/_cat/recovery?v&active_only=true' }],
  };
}

function causeOf(state: ClusterState, group: CopyGroup, explanation: Explanation): Omit<Cause, 'about' | 'severity'> {
  if (explanation.can_allocate === 'no_valid_shard_copy') return lostPrimary(state, group, explanation);
  if (explanation.can_allocate === 'allocation_delayed') return delayed(state, group, explanation);
  if (explanation.can_allocate === 'awaiting_info')
    return { why: 'the nodes are asked which copies they have', mend: [] };
  if (explanation.can_allocate === 'yes') return { why: 'it is about to be placed', mend: [] };
  const deciders = obstacles(explanation);
  const known = Object.keys(REMEDIES).find((decider) => deciders.has(decider));
  if (known !== undefined) return REMEDIES[known]!(state, group);
  if ((explanation.node_allocation_decisions ?? []).length === 0 && ![...state.nodes.values()].some(isDataNode))
    return { why: 'there is no data node', advice: 'start a node with a data role', mend: [] };
  const { details } = group.copies[0]!.unassigned ?? {};
  return {
    why: details ?? explanation.allocate_explanation ?? 'no node may have it',
    mend: [
      {
        does: 'tells what every node says',
        method: 'POST',
        path: '/_cluster/allocation/explain?include_yes_decisions=true',
        body: { index: group.meta.name, shard: group.copies[0]!.shard, primary: group.copies[0]!.primary },
      },
    ],
  };
}

async function causeOfGroup(
  services: Services,
  state: ClusterState,
  group: CopyGroup,
  isExplained: boolean,
): Promise<Cause> {
  const about = aboutOf(group);
  if (group.copies[0]!.state === 'INITIALIZING') return { ...about, ...starting(state, group) };
  const isKnown = isExplained && state.masterNodeId !== null;
  const explanation = (isKnown ? await explain(services, group) : null) ?? {};
  const evidence = evidenceOf(explanation);
  return { ...about, ...causeOf(state, group, explanation), ...(evidence.length > 0 ? { evidence } : {}) };
}

/** Causes of copies that have not started; copies of one index with the same reason are one cause. */
export async function shardCauses(services: Services, metas: readonly IndexMetadata[]): Promise<Cause[]> {
  const state = services.cluster.state();
  return Promise.all(groupsOf(state, metas).map((group, i) => causeOfGroup(services, state, group, i < EXPLAINED_MAX)));
}
