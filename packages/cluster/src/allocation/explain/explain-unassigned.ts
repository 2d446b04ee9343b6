import type { Json } from '@shoal/json';
import type { IndexMetadata, ShardRouting } from '@shoal/state';
import type { Allocation } from '../allocation.js';
import { inSyncId } from '../assign-primaries.js';
import { reusableStores } from '../assign-replicas.js';
import { nodeLeftDelayMs } from '../lost-nodes.js';
import { inOrder, type NodeDecision, nodeDecisionJson, nodeDecisions, withPrimaryStores } from './node-decisions.js';
import { ALLOCATE, delayedText } from './texts.js';

interface Outcome {
  readonly can: string;
  readonly text: string;
  readonly nodes: readonly NodeDecision[];
  readonly extra?: Json;
}

const AWAITING: Outcome = { can: 'awaiting_info', text: ALLOCATE.awaitingInfo, nodes: [] };

function best(nodes: readonly NodeDecision[], refusal: string): Outcome {
  if (nodes.some(({ verdict }) => verdict === 'yes')) return { can: 'yes', text: ALLOCATE.yes, nodes };
  if (nodes.some(({ verdict }) => verdict === 'throttled'))
    return { can: 'throttled', text: ALLOCATE.throttled, nodes };
  return { can: 'no', text: refusal, nodes };
}

function target(outcome: Outcome): Json {
  if (outcome.can !== 'yes') return {};
  const { node } = inOrder(outcome.nodes)[0]!;
  return {
    target_node: {
      id: node.id,
      name: node.name,
      transport_address: node.transportAddress,
      attributes: node.attributes,
      roles: node.roles,
    },
  };
}

function existingPrimary(allocation: Allocation, meta: IndexMetadata, copy: ShardRouting): Outcome {
  const stores = allocation.context.stores?.(copy.indexUuid, copy.shard);
  if (stores === 'unknown') return AWAITING;
  if (stores === undefined) return best(nodeDecisions(allocation, copy), ALLOCATE.no);
  const inSync = meta.inSync[copy.shard] ?? [];
  const nodes = withPrimaryStores(nodeDecisions(allocation, copy), stores, (store) => inSyncId(store, inSync) !== null);
  const good = stores.filter((store) => !store.damaged && inSyncId(store, inSync) !== null);
  if (good.length > 0) return best(nodes, ALLOCATE.noCopyAllowed);
  return { can: 'no_valid_shard_copy', text: stores.length === 0 ? ALLOCATE.noCopies : ALLOCATE.staleCopies, nodes };
}

function delayed(
  allocation: Allocation,
  meta: IndexMetadata,
  nodes: readonly NodeDecision[],
  untilMs: number,
): Outcome {
  const remainingMs = Math.max(0, untilMs - allocation.context.nowMs);
  const hasOther = nodes.some(({ verdict }) => verdict !== 'no');
  return {
    can: 'allocation_delayed',
    text: delayedText(remainingMs, hasOther),
    nodes,
    extra: { configured_delay_in_millis: nodeLeftDelayMs(meta.settings), remaining_delay_in_millis: remainingMs },
  };
}

function replica(allocation: Allocation, meta: IndexMetadata, copy: ShardRouting): Outcome {
  const isNew = copy.unassigned?.reason === 'INDEX_CREATED';
  const stores = isNew ? [] : (allocation.context.stores?.(copy.indexUuid, copy.shard) ?? []);
  if (stores === 'unknown') return AWAITING;
  const reusable = new Set(reusableStores(allocation, copy, stores).map((store) => store.nodeId));
  const nodes = nodeDecisions(allocation, copy).map((decision) =>
    reusable.has(decision.node.id) ? { ...decision, store: { matching_sync_id: true } } : decision,
  );
  const until = copy.unassigned?.delayedUntilMs;
  const canReuse = nodes.some(({ verdict, store }) => verdict === 'yes' && store);
  return until !== undefined && !canReuse ? delayed(allocation, meta, nodes, until) : best(nodes, ALLOCATE.no);
}

/** Explains why a copy is unassigned, and what would assign it. */
export function explainUnassigned(
  allocation: Allocation,
  meta: IndexMetadata,
  copy: ShardRouting,
  includeYes: boolean,
): Json {
  const isExisting = copy.primary && copy.recoverySource === 'EXISTING_STORE';
  const outcome = isExisting
    ? existingPrimary(allocation, meta, copy)
    : copy.primary
      ? best(nodeDecisions(allocation, copy), ALLOCATE.no)
      : replica(allocation, meta, copy);
  return {
    can_allocate: outcome.can,
    allocate_explanation: outcome.text,
    ...target(outcome),
    ...outcome.extra,
    ...(outcome.nodes.length > 0
      ? { node_allocation_decisions: inOrder(outcome.nodes).map((node) => nodeDecisionJson(node, includeYes)) }
      : {}),
  };
}
