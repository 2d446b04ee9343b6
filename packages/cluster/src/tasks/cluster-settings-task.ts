import { errors } from '@shoal/errors';
import { refreshClusterBlocks } from '../metadata/refresh-blocks.js';
import { matchesWildcard } from '@shoal/values';
import { validateClusterSetting, type FlatSettings, nestedSettings } from '@shoal/state';
import { overrideSettings } from '../metadata/override-settings.js';
import { defineTask } from './task.js';

/** Body of `clusterSettings`. */
export interface ClusterSettingsBody {
  /** Flat settings; null removes one. */
  readonly persistent: FlatSettings;
  readonly transient: FlatSettings;
}

function validate(kind: string, changes: FlatSettings): void {
  for (const [name, value] of Object.entries(changes)) validateClusterSetting(kind, name, value);
}

/** Renders the settings that were set, without removed ones, as the answer shows them. */
function applied(changes: FlatSettings): Record<string, unknown> {
  return nestedSettings(Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== null)));
}

/** Updates persistent and transient cluster settings. */
export const clusterSettings = defineTask<ClusterSettingsBody>({
  name: 'cluster-settings',
  priority: 'IMMEDIATE',
  source: () => 'cluster_update_settings',
  apply(state, { persistent, transient }) {
    if (Object.keys(persistent).length + Object.keys(transient).length === 0) {
      throw errors.actionRequestValidation('Validation Failed: 1: no settings to update;');
    }
    validate('persistent', persistent);
    validate('transient', transient);
    const changed = {
      ...state,
      persistentSettings: overrideSettings(state.persistentSettings, persistent, matchesWildcard),
      transientSettings: overrideSettings(state.transientSettings, transient, matchesWildcard),
    };
    return {
      state: refreshClusterBlocks(changed),
      answer: { acknowledged: true, persistent: applied(persistent), transient: applied(transient) },
      reroute: 'all',
    };
  },
});
