import type { ClusterService } from '@shoal/cluster';
import type { ClusterState, NodeInfo, ShardRouting } from '@shoal/state';
import type { Log } from '@shoal/doors';

/** Limit in milliseconds for each answer of the master while this node ends. */
const STEP_TIMEOUT_MS = 5_000;

const hasHeir = (copies: readonly ShardRouting[], nodeId: string): boolean =>
  copies.some((copy) => !copy.primary && copy.state === 'STARTED' && copy.nodeId !== nodeId);

function primariesToYield(state: ClusterState, nodeId: string): ShardRouting[] {
  return [...state.routing.values()].flat().flatMap((copies) => {
    const primary = copies.find((copy) => copy.primary && copy.state === 'STARTED' && copy.nodeId === nodeId);
    return primary && hasHeir(copies, nodeId) ? [primary] : [];
  });
}

/** Says that the node is about to end, so that it gets nothing new and its copies wait for its return. */
export async function announceLeaving(cluster: ClusterService, node: NodeInfo, log: Log): Promise<void> {
  const state = cluster.state();
  if (state.nodes.size < 2 || state.masterNodeId === null) return;
  await cluster
    .submit(
      'node-draining',
      { id: node.id, ephemeralId: node.ephemeralId },
      { timeoutMs: STEP_TIMEOUT_MS, masterTimeoutMs: STEP_TIMEOUT_MS },
    )
    .catch((error: unknown) => log.write('warn', 'the master did not take note that this node ends', { error }));
}

/**
 * Hands primaries to replicas that have every acknowledged operation. Otherwise they would be without a primary until
 * the master notices that this node is gone.
 */
export async function yieldPrimaries(cluster: ClusterService, node: NodeInfo, log: Log): Promise<void> {
  const state = cluster.state();
  if (state.masterNodeId === null) return;
  const yields = primariesToYield(state, node.id).map(({ indexUuid, shard, allocationId: held }) => {
    const allocationId = held!;
    const primaryTerm = state.indices.get(indexUuid)?.primaryTerms[shard];
    return cluster.submit(
      'yield-primary',
      { indexUuid, shard, allocationId, ...(primaryTerm === undefined ? {} : { primaryTerm }) },
      { timeoutMs: STEP_TIMEOUT_MS, masterTimeoutMs: STEP_TIMEOUT_MS },
    );
  });
  const failed = (await Promise.allSettled(yields)).filter(({ status }) => status === 'rejected').length;
  log.write('info', 'primaries handed over', { 'shoal.primaries': yields.length, 'shoal.failed': failed });
}
