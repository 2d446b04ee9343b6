import { errors } from '@shoal/errors';
import { refreshClusterBlocks } from '../metadata/refresh-blocks.js';
import { deepEqual } from '@shoal/json';
import { matchesWildcard } from '@shoal/values';
import { type StoredScript, scriptCachesProblem } from '@shoal/script';
import {
  clusterSetting,
  type ClusterState,
  type FlatSettings,
  nestedSettings,
  section,
  validateClusterSetting,
} from '@shoal/state';
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

/** Throws if the settings of scripts do not fit one another, or a stored script is longer than they allow. */
function refuseScriptSettings(state: ClusterState, nodeSettings: FlatSettings): void {
  const set: FlatSettings = { ...nodeSettings, ...state.persistentSettings, ...state.transientSettings };
  const problem = scriptCachesProblem((name) => set[name] ?? null, Object.keys(set));
  if (problem !== null) throw errors.illegalArgument(problem);
  const bytesMax = Number(clusterSetting(state, 'script.max_size_in_bytes', nodeSettings));
  for (const [id, script] of Object.entries(
    section(state, 'storedScripts') as Readonly<Record<string, StoredScript>>,
  )) {
    const bytes = Buffer.byteLength(script.source);
    if (bytes > bytesMax)
      throw errors.illegalArgument(
        `script.max_size_in_bytes cannot be set to [${bytesMax}], stored script [${id}] exceeds the new value with a ` +
          `size of [${bytes}]`,
      );
  }
}

/** Updates persistent and transient cluster settings. */
export const clusterSettings = defineTask<ClusterSettingsBody>({
  name: 'cluster-settings',
  priority: 'IMMEDIATE',
  source: () => 'cluster_update_settings',
  apply(state, { persistent, transient }, { nodeSettings }) {
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
    refuseScriptSettings(changed, nodeSettings);
    const isSame =
      deepEqual(changed.persistentSettings, state.persistentSettings) &&
      deepEqual(changed.transientSettings, state.transientSettings);
    return {
      state: isSame ? state : refreshClusterBlocks(changed),
      answer: { acknowledged: true, persistent: applied(persistent), transient: applied(transient) },
      reroute: 'all',
    };
  },
});
