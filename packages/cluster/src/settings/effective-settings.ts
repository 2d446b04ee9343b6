import type { ClusterState, SettingValue } from '../state.js';
import { CLUSTER_SETTINGS } from './cluster-settings.js';
import { NODE_SETTING_DEFAULTS } from './node-setting-defaults.js';
import { own } from '../own.js';

/** A cluster setting in force: transient over persistent over the default. */
export function clusterSetting(state: ClusterState, name: string): SettingValue {
  return own(state.transientSettings, name) ?? own(state.persistentSettings, name) ?? CLUSTER_SETTINGS.get(name)?.fallback ?? own(NODE_SETTING_DEFAULTS, name) ?? null;
}
