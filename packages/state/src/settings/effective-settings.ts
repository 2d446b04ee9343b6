import type { ClusterState, SettingValue } from '../state.js';
import { CLUSTER_SETTINGS } from './cluster-settings.js';
import { NODE_SETTING_DEFAULTS } from './node-setting-defaults.js';
import { own } from '../own.js';
import type { FlatSettings } from './flat-settings.js';

/** A cluster setting in force: transient over persistent over the node's configuration over the default. */
export function clusterSetting(state: ClusterState, name: string, nodeSettings: FlatSettings = {}): SettingValue {
  const set = own(state.transientSettings, name) ?? own(state.persistentSettings, name) ?? own(nodeSettings, name);
  return set ?? CLUSTER_SETTINGS.get(name)?.fallback ?? own(NODE_SETTING_DEFAULTS, name) ?? null;
}
