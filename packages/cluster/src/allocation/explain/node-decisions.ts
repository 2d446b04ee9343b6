import type { Json } from '@shoal/json';
import type { NodeInfo, ShardRouting } from '@shoal/state';
import type { Allocation, AllocationNode } from '../allocation.js';
import type { ShardStoreInfo } from '../context.js';
import { allocateDecisions } from '../decide.js';
import { type Decision, strictest } from '../decision.js';
import { byWeight, Weights } from '../weights.js';

/** Verdict on a copy for a node, as explanations name it. */
export type NodeVerdict = 'yes' | 'throttled' | 'worse_balance' | 'no';

/** Decision on a copy for one node. */
export interface NodeDecision {
  readonly node: NodeInfo;
  readonly verdict: NodeVerdict;
  /** Rank of the node by weight; 1 is the emptiest. */
  readonly ranking: number;
  readonly weight: number;
  readonly deciders: readonly Decision[];
  readonly store?: Json;
}

const VERDICTS = { YES: 'yes', THROTTLE: 'throttled', NO: 'no' } as const;
const ORDER: readonly NodeVerdict[] = ['yes', 'throttled', 'worse_balance', 'no'];

/** A node with its weight and rank for an index. */
export interface RankedNode {
  readonly node: AllocationNode;
  readonly ranking: number;
  readonly weight: number;
}

/** Returns all data nodes with their rank for an index, the emptiest first. */
export function rankedNodes(allocation: Allocation, uuid: string): RankedNode[] {
  return byWeight(new Weights(allocation, true), allocation, uuid).map(({ node, weight }, i) => ({
    node,
    weight,
    ranking: i + 1,
  }));
}

function decideNode(allocation: Allocation, copy: ShardRouting, { node, ranking, weight }: RankedNode): NodeDecision {
  const deciders = allocateDecisions(allocation, copy, node);
  return { node: node.info, ranking, weight, verdict: VERDICTS[strictest(deciders)], deciders };
}

/** Sorts decisions by verdict, best first, then by rank. */
export function inOrder(decisions: readonly NodeDecision[]): NodeDecision[] {
  return [...decisions].sort((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict) || a.ranking - b.ranking);
}

/** Returns the decisions on a copy for all data nodes except its own. */
export function nodeDecisions(allocation: Allocation, copy: ShardRouting): NodeDecision[] {
  return rankedNodes(allocation, copy.indexUuid)
    .filter(({ node }) => node.info.id !== copy.nodeId)
    .map((ranked) => decideNode(allocation, copy, ranked));
}

/**
 * Adds to each decision the store that its node has. Nodes without an in-sync, undamaged store get the verdict `no`, as
 * a primary cannot start there.
 */
export function withPrimaryStores(
  decisions: readonly NodeDecision[],
  stores: readonly ShardStoreInfo[],
  isInSync: (store: ShardStoreInfo) => boolean,
): NodeDecision[] {
  return decisions.map((decision) => {
    const store = stores.find(({ nodeId }) => nodeId === decision.node.id);
    if (!store) return { ...decision, verdict: 'no', deciders: [], store: { found: false } };
    const shown: Json = {
      in_sync: isInSync(store),
      allocation_id: store.allocationId,
      ...(store.damaged
        ? {
            store_exception: {
              type: 'corrupt_index_exception',
              reason: 'the store lacks or spoiled operations it had acknowledged',
            },
          }
        : {}),
    };
    return store.damaged || !isInSync(store)
      ? { ...decision, verdict: 'no', deciders: [], store: shown }
      : { ...decision, store: shown };
  });
}

/** Renders decisions as the answer lists them; YES decisions only on request. */
export function decisionsJson(decisions: readonly Decision[], includeYes: boolean): Json[] {
  return decisions
    .filter(({ decision }) => includeYes || decision !== 'YES')
    .map(({ decider, decision, explanation }) => ({ decider, decision, explanation }));
}

/** Renders the decision for one node. */
export function nodeDecisionJson({ node, verdict, ranking, deciders, store }: NodeDecision, includeYes: boolean): Json {
  const listed = decisionsJson(deciders, includeYes);
  return {
    node_id: node.id,
    node_name: node.name,
    transport_address: node.transportAddress,
    node_attributes: node.attributes,
    roles: node.roles,
    node_decision: verdict,
    ...(store ? { store } : {}),
    weight_ranking: ranking,
    ...(listed.length > 0 ? { deciders: listed } : {}),
  };
}
