import type { ShardRouting } from '@shoal/state';
import type { Allocation, AllocationNode } from '../allocation.js';
import type { Decision } from '../decision.js';
import type { Decider } from './decider.js';

const NAME = 'awareness';
const SETTING = 'cluster.routing.allocation.awareness.attributes';

function nodeValues(allocation: Allocation, attribute: string): string[] {
  const values = [...allocation.nodes.values()].flatMap(({ info }) =>
    attribute in info.attributes ? [info.attributes[attribute]!] : [],
  );
  return [...new Set(values)].sort();
}

/** Counts the copies of a shard on nodes with a value of the attribute, `copy` included. */
function copiesWith(copy: ShardRouting, allocation: Allocation, attribute: string, value: string): number {
  const others = allocation.copies(copy.indexUuid, copy.shard).filter((other) => {
    if (other === copy || other.nodeId === null || other.state === 'RELOCATING') return false;
    // A relocating copy counts on its target node. The target of the relocation of `copy` is `copy` itself.
    if (
      copy.relocatingNodeId !== null &&
      other.relocatingNodeId === copy.nodeId &&
      other.nodeId === copy.relocatingNodeId
    )
      return false;
    return allocation.state.nodes.get(other.nodeId)?.attributes[attribute] === value;
  });
  return others.length + 1;
}

function listText(values: readonly string[]): string {
  return `[${values.join(', ')}]`;
}

function perValue(
  copy: ShardRouting,
  node: AllocationNode,
  allocation: Allocation,
  attribute: string,
): Decision | null {
  const value = node.info.attributes[attribute];
  if (value === undefined) {
    return allocation.decide(
      NAME,
      'NO',
      () =>
        `node does not contain the awareness attribute [${attribute}]; required attributes cluster setting ` +
        `[${SETTING}=${allocation.settings.awareness.join(',')}]`,
    );
  }
  const actual = nodeValues(allocation, attribute);
  const forced = allocation.settings.forced.get(attribute);
  const values = new Set([...actual, ...(forced ?? [])]).size;
  const total = 1 + (allocation.meta(copy.indexUuid)?.numberOfReplicas ?? 0);
  const max = Math.ceil(total / values);
  const here = copiesWith(copy, allocation, attribute, value);
  if (here <= max) return null;
  return allocation.decide(NAME, 'NO', () => {
    const origin = forced ? `${listText([...forced].sort())} from forced awareness` : 'no forced awareness';
    return (
      `there are [${total}] copies of this shard and [${values}] values for attribute [${attribute}] ` +
      `(${listText(actual)} from nodes in the cluster and ${origin}) so there may be at most [${max}] copies of ` +
      `this shard allocated to nodes with each value, but (including this copy) there would be [${here}] copies ` +
      `allocated to nodes with [node.attr.${attribute}: ${value}]`
    );
  });
}

function isSpread(copy: ShardRouting, node: AllocationNode, allocation: Allocation): Decision {
  const { awareness } = allocation.settings;
  if (awareness.length === 0)
    return allocation.decide(
      NAME,
      'YES',
      () => `allocation awareness is not enabled, set cluster setting [${SETTING}] to enable it`,
    );
  if (String(allocation.meta(copy.indexUuid)?.settings['index.auto_expand_replicas'] ?? '').endsWith('-all')) {
    return allocation.decide(
      NAME,
      'YES',
      () => 'allocation awareness is ignored, this index is set to auto-expand to all nodes',
    );
  }
  for (const attribute of awareness) {
    const obstacle = perValue(copy, node, allocation, attribute);
    if (obstacle) return obstacle;
  }
  return allocation.decide(NAME, 'YES', () => 'node meets all awareness attribute requirements');
}

/** Spreads the copies of a shard over the values of node attributes, such as zones. */
export const awareness: Decider = { name: NAME, canAllocate: isSpread, canRemain: isSpread };
