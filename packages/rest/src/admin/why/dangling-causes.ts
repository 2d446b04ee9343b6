import type { Dangling } from '../dangling.js';
import type { Cause } from './cause.js';

/** Indices of which nodes have stores and the cluster knows nothing. */
export function danglingCauses(found: readonly Dangling[]): Cause[] {
  return found.map(
    ({ uuid, metadata, nodes }): Cause => ({
      severity: 'warning',
      about: `index ${metadata?.name ?? uuid}`,
      why: 'nodes have stores of it, and the cluster does not know it: its documents are not found',
      evidence: [`uuid ${uuid}, on ${nodes.map(({ name }) => name).join(', ')}`],
      advice:
        'import it if the cluster was formed anew, and delete it if it is not needed; what was written to copies ' +
        'that are not here is lost',
      mend: [
        {
          does: 'takes the index back with the stores that are there',
          method: 'POST',
          path: `/_dangling/${uuid}?accept_data_loss=true`,
        },
        { does: 'deletes its stores', method: 'DELETE', path: `/_dangling/${uuid}?accept_data_loss=true` },
      ],
    }),
  );
}
