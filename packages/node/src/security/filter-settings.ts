import { addressRuleProblem, addressRulesOf, type ClusterState, clusterSetting, type FlatSettings } from '@shoal/state';
import { ConfigurationError } from '../settings/load-settings.js';
import type { SslLayer } from '../settings/ssl-setting-rows.js';
import type { FilterRules } from './ip-filter.js';

/**
 * Returns the address rules of a layer from a state and the node's settings. HTTP uses those of the transport if it has
 * none of its own.
 */
export function filterRules(
  layer: SslLayer,
  state: ClusterState,
  nodeSettings: FlatSettings,
  bound: readonly string[],
): FilterRules {
  const setting = (of: SslLayer, name: string): unknown =>
    clusterSetting(state, `xpack.security.${of}.filter.${name}`, nodeSettings);
  const rules = (name: string): readonly string[] => {
    const own = addressRulesOf(setting(layer, name));
    return own.length > 0 || layer === 'transport' ? own : addressRulesOf(setting('transport', name));
  };
  const alwaysOwn = nodeSettings['xpack.security.filter.always_allow_bound_address'] !== 'false';
  return {
    isEnabled: String(setting(layer, 'enabled')) === 'true',
    allow: rules('allow'),
    deny: rules('deny'),
    own: alwaysOwn ? bound : [],
  };
}

/** Throws ConfigurationError for address rules of the configuration that cannot be parsed. */
export function checkFilterSettings(nodeSettings: FlatSettings): void {
  for (const [name, value] of Object.entries(nodeSettings)) {
    if (!/^xpack\.security\.(http|transport)\.filter\.(allow|deny)$/.test(name)) continue;
    for (const rule of addressRulesOf(value)) {
      const problem = addressRuleProblem(rule);
      if (problem !== null) throw new ConfigurationError(`setting [${name}]: ${problem}`);
    }
  }
}
