import type { FlatSettings } from '@shoal/state';
import type { NodeSettings } from '../settings/load-settings.js';
import { memoryBudget } from '../start/memory-budget.js';

/** Memory that one field of a mapping may cost at most, of the whole budget: 75,000 fields for 512 MB. */
const BYTES_A_FIELD = 7158;

/**
 * Settings of this node that a master looks at beside those of the cluster. The limit of fields follows the memory of
 * the node unless it is given.
 */
export function masterSettings(settings: NodeSettings): FlatSettings {
  const fields = Math.floor(memoryBudget(settings.bytes('memory.limit')) / BYTES_A_FIELD);
  return { 'shoal.cluster.max_fields': String(fields), ...Object.fromEntries(settings.explicit) };
}
