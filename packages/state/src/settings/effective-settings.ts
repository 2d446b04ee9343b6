import type { ClusterState, SettingValue } from '../state.js';
import { CLUSTER_SETTINGS } from './cluster-settings.js';
import { NODE_SETTING_DEFAULTS } from './node-setting-defaults.js';
import { ownProperty } from '@shoal/json';
import type { FlatSettings } from './flat-settings.js';

/**
 * Returns the value in force of a cluster setting: transient, else persistent, else from the configuration file of the
 * node, else the default.
 */
export function clusterSetting(state: ClusterState, name: string, nodeSettings: FlatSettings = {}): SettingValue {
  const set =
    ownProperty(state.transientSettings, name) ??
    ownProperty(state.persistentSettings, name) ??
    ownProperty(nodeSettings, name);
  return set ?? CLUSTER_SETTINGS.get(name)?.fallback ?? ownProperty(NODE_SETTING_DEFAULTS, name) ?? null;
}
