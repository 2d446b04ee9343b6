import type { Json } from '@shoal/json';
import type { ShardRouting } from '@shoal/state';
import type { Allocation } from '../allocation.js';
import { rebalanceDecisions, remainDecisions } from '../decide.js';
import { type Decision, strictest, type Verdict } from '../decision.js';
import {
  decisionsJson,
  inOrder,
  type NodeDecision,
  nodeDecisionJson,
  nodeDecisions,
  type NodeVerdict,
  rankedNodes,
} from './node-decisions.js';
import { MOVE, REBALANCE } from './texts.js';

const WORDS: Readonly<Record<Verdict, 'yes' | 'throttled' | 'no'>> = { YES: 'yes', THROTTLE: 'throttled', NO: 'no' };

function nodesJson(nodes: readonly NodeDecision[], includeYes: boolean): Json {
  return nodes.length === 0
    ? {}
    : { node_allocation_decisions: inOrder(nodes).map((node) => nodeDecisionJson(node, includeYes)) };
}

function bestVerdict(nodes: readonly NodeDecision[]): 'yes' | 'throttled' | 'no' {
  const has = (wanted: NodeVerdict): boolean => nodes.some(({ verdict }) => verdict === wanted);
  return has('yes') ? 'yes' : has('throttled') ? 'throttled' : 'no';
}

function mustMove(allocation: Allocation, copy: ShardRouting, remain: readonly Decision[], includeYes: boolean): Json {
  const nodes = nodeDecisions(allocation, copy);
  const can = bestVerdict(nodes);
  return {
    can_remain_on_current_node: 'no',
    can_remain_decisions: decisionsJson(remain, includeYes),
    can_move_to_other_node: can,
    move_explanation: MOVE[can],
    ...nodesJson(nodes, includeYes),
  };
}

/**
 * Sets the verdict `worse_balance` for nodes that may have the copy, but are not emptier by more than the threshold.
 */
function weighed(allocation: Allocation, nodes: readonly NodeDecision[], ownWeight: number): NodeDecision[] {
  const gains = (node: NodeDecision): boolean => ownWeight - node.weight > allocation.settings.weights.threshold;
  return nodes.map((node) => (node.verdict !== 'no' && !gains(node) ? { ...node, verdict: 'worse_balance' } : node));
}

function rebalanceText(cluster: Verdict, can: 'yes' | 'throttled' | 'no', mayAllocate: boolean): string {
  if (cluster === 'NO') return mayAllocate ? REBALANCE.allowedElsewhere : REBALANCE.no;
  if (cluster === 'THROTTLE') return REBALANCE.clusterThrottled;
  if (can === 'no') return REBALANCE.balanced;
  return can === 'yes' ? REBALANCE.yes : REBALANCE.nodeThrottled;
}

function mayRebalance(allocation: Allocation, copy: ShardRouting, ownWeight: number, includeYes: boolean): Json {
  const cluster = rebalanceDecisions(allocation, copy);
  const verdict = strictest(cluster);
  const allowed = nodeDecisions(allocation, copy);
  const nodes = weighed(allocation, allowed, ownWeight);
  const can = bestVerdict(nodes);
  const decisions = decisionsJson(cluster, includeYes);
  return {
    can_remain_on_current_node: 'yes',
    can_rebalance_cluster: WORDS[verdict],
    ...(decisions.length > 0 ? { can_rebalance_cluster_decisions: decisions } : {}),
    can_rebalance_to_other_node: verdict === 'YES' ? can : WORDS[verdict],
    rebalance_explanation: rebalanceText(
      verdict,
      can,
      allowed.some((node) => node.verdict === 'yes'),
    ),
    ...nodesJson(nodes, includeYes),
  };
}

/** Explains why a started copy is on its node, and whether it will move. */
export function explainStarted(allocation: Allocation, copy: ShardRouting, includeYes: boolean): Json {
  const own = rankedNodes(allocation, copy.indexUuid).find(({ node }) => node.info.id === copy.nodeId);
  if (!own) return {};
  const { info } = own.node;
  const current = {
    id: info.id,
    name: info.name,
    transport_address: info.transportAddress,
    attributes: info.attributes,
    roles: info.roles,
    weight_ranking: own.ranking,
  };
  const remain = remainDecisions(allocation, copy, own.node);
  const rest =
    strictest(remain) === 'NO'
      ? mustMove(allocation, copy, remain, includeYes)
      : mayRebalance(allocation, copy, own.weight, includeYes);
  return { current_node: current, ...rest };
}

/** Explains a copy that initializes or relocates: there is nothing to decide. */
export function explainUnderWay(allocation: Allocation, copy: ShardRouting): Json {
  const node = allocation.state.nodes.get(copy.nodeId ?? '');
  const other = allocation.state.nodes.get(copy.relocatingNodeId ?? '');
  const explanation =
    copy.state === 'RELOCATING'
      ? `the shard is in the process of relocating from node [${node?.name}] to node [${other?.name}], wait until ` +
        'relocation has completed'
      : `the shard is in the process of initializing on node [${node?.name}], wait until initialization has completed`;
  const current = {
    id: node?.id,
    name: node?.name,
    transport_address: node?.transportAddress,
    attributes: node?.attributes,
    roles: node?.roles,
  };
  return { current_node: current, explanation };
}
