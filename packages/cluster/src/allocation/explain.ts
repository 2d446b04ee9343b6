import type { ClusterState, IndexMetadata, NodeInfo, ShardRouting } from '../state.js';
import { dataNodes } from './copies.js';
import { indexFiltersAllow } from './deciders/filter.js';
import { indexSetting } from '../settings/index-settings.js';

export interface Decision {
  readonly decider: string;
  readonly decision: 'NO' | 'THROTTLE' | 'YES';
  readonly explanation: string;
}

export interface NodeExplanation {
  readonly node: NodeInfo;
  readonly decision: 'yes' | 'no' | 'throttled';
  readonly deciders: readonly Decision[];
}

/** Why a copy is where it is or nowhere. */
export interface ShardExplanation {
  readonly index: IndexMetadata;
  readonly copy: ShardRouting;
  readonly nodes: readonly NodeExplanation[];
  readonly canAllocate: 'yes' | 'no';
}

function describeCopy(meta: IndexMetadata, copy: ShardRouting): string {
  return `[[${meta.name}][${copy.shard}], node[${copy.nodeId}], [${copy.primary ? 'P' : 'R'}], s[${copy.state}], a[id=${copy.allocationId}], failed_attempts[${copy.unassigned?.failedAttempts ?? 0}]]`;
}

function sameShard(meta: IndexMetadata, copy: ShardRouting, copies: readonly ShardRouting[], node: NodeInfo): Decision | null {
  const holder = copies.find((other) => other.nodeId === node.id);
  if (!holder) return null;
  const explanation =
    holder === copy
      ? `this shard is already allocated to this node ${describeCopy(meta, holder)}`
      : `a copy of this shard is already allocated to this node ${describeCopy(meta, holder)}`;
  return { decider: 'same_shard', decision: 'NO', explanation };
}

function filter(meta: IndexMetadata, node: NodeInfo): Decision | null {
  if (indexFiltersAllow(meta, node)) return null;
  return { decider: 'filter', decision: 'NO', explanation: `node does not match index setting [index.routing.allocation] filters` };
}

function retries(meta: IndexMetadata, copy: ShardRouting): Decision | null {
  const failed = copy.unassigned?.failedAttempts ?? 0;
  const max = Number(indexSetting(meta.settings, 'index.allocation.max_retries'));
  if (failed < max) return null;
  const explanation = `shard has exceeded the maximum number of retries [${max}] on failed allocation attempts - manually call [POST /_cluster/reroute?retry_failed] to retry, [unassigned_info[[reason=${copy.unassigned?.reason}], failed_attempts[${failed}], details[${copy.unassigned?.details}]]]`;
  return { decider: 'max_retry', decision: 'NO', explanation };
}

function explainNode(meta: IndexMetadata, copy: ShardRouting, copies: readonly ShardRouting[], node: NodeInfo): NodeExplanation {
  const deciders = [retries(meta, copy), filter(meta, node), sameShard(meta, copy, copies, node)].flatMap((decision) => decision ?? []);
  return { node, decision: deciders.length > 0 ? 'no' : 'yes', deciders };
}

/** Runs the deciders of one copy on every data node but its own. */
export function explainShard(state: ClusterState, meta: IndexMetadata, copy: ShardRouting): ShardExplanation {
  const copies = state.routing.get(meta.uuid)?.[copy.shard] ?? [];
  const nodes = dataNodes(state)
    .filter((node) => node.id !== copy.nodeId)
    .map((node) => explainNode(meta, copy, copies, node));
  return { index: meta, copy, nodes, canAllocate: nodes.some((node) => node.decision === 'yes') ? 'yes' : 'no' };
}
