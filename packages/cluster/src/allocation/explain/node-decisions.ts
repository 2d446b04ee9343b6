import type { Json } from '@shoal/json';
import type { NodeInfo, ShardRouting } from '@shoal/state';
import type { Allocation, AllocationNode } from '../allocation.js';
import type { ShardStoreInfo } from '../context.js';
import { allocateDecisions } from '../decide.js';
import { type Decision, strictest } from '../decision.js';
import { byWeight, Weights } from '../weights.js';

export type NodeVerdict = 'yes' | 'throttled' | 'worse_balance' | 'no';

/** What would become of a copy on one node. */
export interface NodeDecision {
  readonly node: NodeInfo;
  readonly verdict: NodeVerdict;
  /** 1 is the emptiest. */
  readonly ranking: number;
  readonly weight: number;
  readonly deciders: readonly Decision[];
  readonly store?: Json;
}

const VERDICTS = { YES: 'yes', THROTTLE: 'throttled', NO: 'no' } as const;
const ORDER: readonly NodeVerdict[] = ['yes', 'throttled', 'worse_balance', 'no'];

export interface RankedNode {
  readonly node: AllocationNode;
  readonly ranking: number;
  readonly weight: number;
}

/** All data nodes with their rank for an index. */
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

/** Best first. */
export function inOrder(decisions: readonly NodeDecision[]): NodeDecision[] {
  return [...decisions].sort((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict) || a.ranking - b.ranking);
}

/** The deciders' word on every data node but the copy's own. */
export function nodeDecisions(allocation: Allocation, copy: ShardRouting): NodeDecision[] {
  return rankedNodes(allocation, copy.indexUuid)
    .filter(({ node }) => node.info.id !== copy.nodeId)
    .map((ranked) => decideNode(allocation, copy, ranked));
}

/** A primary can only be where its data is: what each node has of it. */
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

/** Decisions as the answer lists them; those that say yes only on request. */
export function decisionsJson(decisions: readonly Decision[], includeYes: boolean): Json[] {
  return decisions
    .filter(({ decision }) => includeYes || decision !== 'YES')
    .map(({ decider, decision, explanation }) => ({ decider, decision, explanation }));
}

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
