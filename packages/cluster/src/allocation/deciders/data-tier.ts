import type { ClusterState, IndexMetadata, NodeInfo, ShardRouting } from '@shoal/state';
import type { Allocation, AllocationNode } from '../allocation.js';
import { listOf } from '../allocation-settings.js';
import type { Decision } from '../decision.js';
import type { Decider } from './decider.js';

const NAME = 'data_tier';
const PREFERENCE = 'index.routing.allocation.include._tier_preference';

function hasTier(node: NodeInfo, tier: string): boolean {
  return node.roles.includes('data') || node.roles.includes(tier);
}

function preferenceOf(meta: IndexMetadata): readonly string[] {
  return listOf(meta.settings[PREFERENCE] ?? null);
}

/**
 * Returns the first tier of the preference that some node has; null if no node has one, undefined without a preference.
 */
function requiredTier(state: ClusterState, meta: IndexMetadata): string | null | undefined {
  const preference = preferenceOf(meta);
  if (preference.length === 0) return undefined;
  const nodes = [...state.nodes.values()];
  return preference.find((tier) => nodes.some((node) => hasTier(node, tier))) ?? null;
}

/** Whether a node belongs to the tier that an index prefers. */
export function allowsByTier(state: ClusterState, meta: IndexMetadata, node: NodeInfo): boolean {
  const tier = requiredTier(state, meta);
  return tier === undefined || (tier !== null && hasTier(node, tier));
}

/** Returns NO, or null without an opinion: like a distribution without data tiers, it never lists a YES. */
function inTier(copy: ShardRouting, node: AllocationNode, allocation: Allocation): Decision | null {
  const meta = allocation.meta(copy.indexUuid);
  if (!meta || node.info.roles.includes('data')) return null;
  const tier = requiredTier(allocation.state, meta);
  if (tier === undefined || (tier !== null && hasTier(node.info, tier))) return null;
  return allocation.decide(NAME, 'NO', () => {
    const preference = preferenceOf(meta).join(',');
    if (tier === null)
      return (
        `index has a preference for tiers [${preference}], but no nodes for any of those tiers are available in ` +
        'the cluster'
      );
    return `index has a preference for tiers [${preference}] and node does not meet the required [${tier}] tier`;
  });
}

/** Keeps an index on the first tier of its `_tier_preference` that has nodes. */
export const dataTier: Decider = { name: NAME, canAllocate: inTier, canRemain: inTier };
