import { checkClusterBlocks, type ClusterState } from '@shoal/state';
import type { CoordinatorContext } from '../context.js';

const waits = ({ blocks }: ClusterState): boolean =>
  blocks.some(({ indexUuid, retryable, levels }) => indexUuid === null && retryable && levels.includes('write'));

/**
 * Waits while the cluster takes no writes for a while: no master is known, or its state is not recovered. Throws
 * cluster_block_exception when the time is over, and at once for a block that somebody has to lift.
 */
export async function awaitWritable(
  { cluster }: Pick<CoordinatorContext, 'cluster'>,
  timeoutMs: number,
): Promise<void> {
  if (waits(cluster.state())) await cluster.waitFor((state) => !waits(state), timeoutMs);
  checkClusterBlocks(cluster.state(), 'write');
}
