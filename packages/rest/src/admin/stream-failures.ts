import type { StreamFailure } from '@shoal/automation';
import type { Services } from '../services.js';

/** Failures of the lifecycles of data streams, by the uuid of the index; null if the elected master does not answer. */
export async function streamFailures({
  coordinator,
  cluster,
}: Services): Promise<Readonly<Record<string, StreamFailure>> | null> {
  const { masterNodeId } = cluster.state();
  if (masterNodeId === null) return null;
  const [answer] = await coordinator.callNodes([masterNodeId], 'stream-lifecycle-failures', null);
  return answer?.error ? null : ((answer?.body ?? {}) as Record<string, StreamFailure>);
}
