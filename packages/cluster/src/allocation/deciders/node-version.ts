import type { Decider } from './decider.js';

const NAME = 'node_version';

/** Whether version `a` is `b` or newer. */
export function isSameOrNewer(a: string, b: string): boolean {
  if (a === b) return true;
  const [left, right] = [a, b].map((version) => version.split('.').map(Number));
  for (let i = 0; i < 3; i++) {
    const difference = (left![i] ?? 0) - (right![i] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

/** Keeps copies off nodes with an older version than the node that they copy from. */
export const nodeVersion: Decider = {
  name: NAME,
  isFirm: true,
  canAllocate(copy, node, allocation) {
    if (copy.primary && copy.nodeId === null)
      return allocation.decide(NAME, 'YES', () => 'the primary shard is new or already existed on the node');
    const sourceId = copy.primary ? copy.nodeId : allocation.primary(copy)?.nodeId;
    const source = allocation.state.nodes.get(sourceId ?? '')?.version;
    if (source === undefined) return allocation.decide(NAME, 'YES', () => 'no active primary shard yet');
    const isFit = isSameOrNewer(node.info.version, source);
    if (copy.primary) {
      return isFit
        ? allocation.decide(
            NAME,
            'YES',
            () =>
              `can relocate primary shard from a node with version [${source}] to a node with equal-or-newer ` +
              `version [${node.info.version}]`,
          )
        : allocation.decide(
            NAME,
            'NO',
            () =>
              `cannot relocate primary shard from a node with version [${source}] to a node with older version ` +
              `[${node.info.version}]`,
          );
    }
    return isFit
      ? allocation.decide(
          NAME,
          'YES',
          () =>
            `can allocate replica shard to a node with version [${node.info.version}] since this is equal-or-newer ` +
            `than the primary version [${source}]`,
        )
      : allocation.decide(
          NAME,
          'NO',
          () =>
            `cannot allocate replica shard to a node with version [${node.info.version}] since this is older than ` +
            `the primary version [${source}]`,
        );
  },
};
