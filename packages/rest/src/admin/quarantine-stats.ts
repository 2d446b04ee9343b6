import type { NodeQuarantineStats } from '@shoal/coordinator';
import type { Services } from '../services.js';
import { selectNodes } from './nodes.js';

/** Sums what the nodes did with refused documents since their start; a node that does not answer is left out. */
export async function quarantineStats(services: Services, signal: AbortSignal): Promise<NodeQuarantineStats> {
  const nodeIds = selectNodes(services, []).map(({ id }) => id);
  const answers = await services.coordinator.callNodes(nodeIds, 'quarantine_stats', null, { signal });
  const told = answers.flatMap(({ body, error }) => (error ? [] : [body as NodeQuarantineStats]));
  const sum = (key: keyof NodeQuarantineStats): number => told.reduce((total, one) => total + one[key], 0);
  return { kept: sum('kept'), lost: sum('lost'), replayed: sum('replayed') };
}
