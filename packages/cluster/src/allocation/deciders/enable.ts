import type { ShardRouting } from '@shoal/state';
import type { Allocation } from '../allocation.js';
import type { Decision } from '../decision.js';
import type { Decider } from './decider.js';

const NAME = 'enable';

interface Enabled {
  readonly value: string;
  /** Setting and value as explanations name them. */
  readonly origin: string;
}

function setting(
  allocation: Allocation,
  copy: ShardRouting,
  indexName: string,
  clusterName: string,
  clusterValue: string,
): Enabled {
  const own = allocation.meta(copy.indexUuid)?.settings[indexName];
  if (own !== undefined && own !== null)
    return { value: String(own).toLowerCase(), origin: `index setting [${indexName}=${String(own).toLowerCase()}]` };
  return { value: clusterValue, origin: `cluster setting [${clusterName}=${clusterValue}]` };
}

function newPrimariesOnly(copy: ShardRouting, allocation: Allocation, origin: string): Decision {
  const isNew = copy.primary && copy.state === 'UNASSIGNED' && copy.recoverySource !== 'EXISTING_STORE';
  if (isNew) return allocation.decide(NAME, 'YES', () => 'new primary allocations are allowed');
  return allocation.decide(NAME, 'NO', () => `non-new primary allocations are forbidden due to ${origin}`);
}

function canAllocate(copy: ShardRouting, allocation: Allocation): Decision {
  if (allocation.ignoresDisable) {
    return allocation.decide(
      NAME,
      'YES',
      () => 'explicitly ignoring any disabling of allocation due to manual allocation commands via the reroute API',
    );
  }
  const { value, origin } = setting(
    allocation,
    copy,
    'index.routing.allocation.enable',
    'cluster.routing.allocation.enable',
    allocation.settings.enable,
  );
  if (value === 'all') return allocation.decide(NAME, 'YES', () => 'all allocations are allowed');
  if (value === 'none') return allocation.decide(NAME, 'NO', () => `no allocations are allowed due to ${origin}`);
  if (value === 'new_primaries') return newPrimariesOnly(copy, allocation, origin);
  if (copy.primary) return allocation.decide(NAME, 'YES', () => 'primary allocations are allowed');
  return allocation.decide(NAME, 'NO', () => `replica allocations are forbidden due to ${origin}`);
}

function canRebalance(copy: ShardRouting, allocation: Allocation): Decision {
  if (allocation.ignoresDisable)
    return allocation.decide(NAME, 'YES', () => 'allocation is explicitly ignoring any disabling of rebalancing');
  const { value, origin } = setting(
    allocation,
    copy,
    'index.routing.rebalance.enable',
    'cluster.routing.rebalance.enable',
    allocation.settings.rebalance,
  );
  if (value === 'all') return allocation.decide(NAME, 'YES', () => 'all rebalancing is allowed');
  if (value === 'none') return allocation.decide(NAME, 'NO', () => `no rebalancing is allowed due to ${origin}`);
  const [kind, other] = copy.primary ? ['primary', 'primaries'] : ['replica', 'replicas'];
  if (value === other) return allocation.decide(NAME, 'YES', () => `${kind} rebalancing is allowed`);
  return allocation.decide(NAME, 'NO', () => `${kind} rebalancing is forbidden due to ${origin}`);
}

/**
 * Applies `cluster.routing.allocation.enable`, `cluster.routing.rebalance.enable`, and the same settings of the index,
 * which win.
 */
export const enable: Decider = {
  name: NAME,
  canAllocate: (copy, _node, allocation) => canAllocate(copy, allocation),
  canRebalance,
};
