import {
  allowedScriptsProblem,
  limitScripts,
  type ReadSetting,
  readScriptLimits,
  scriptCachesProblem,
} from '@shoal/script';
import { type ClusterState, emptyState, type FlatSettings } from '@shoal/state';
import { ConfigurationError } from '../settings/load-settings.js';

type Changing = Pick<ClusterState, 'persistentSettings' | 'transientSettings'>;

/** Returns the settings of a configuration that are about scripts. */
export function scriptSettings(nodeSettings: FlatSettings): FlatSettings {
  return Object.fromEntries(Object.entries(nodeSettings).filter(([name]) => name.startsWith('script.')));
}

/** Throws ConfigurationError for settings of scripts that no node can follow. */
export function checkScriptSettings(nodeSettings: FlatSettings): void {
  const read: ReadSetting = (name) => nodeSettings[name] ?? null;
  const problem = allowedScriptsProblem(read) ?? scriptCachesProblem(read, Object.keys(nodeSettings));
  if (problem !== null) throw new ConfigurationError(problem);
}

/**
 * Limits the scripts of this thread by the node's settings, and returns a function that makes them follow those of the
 * cluster: it is to be called with each state.
 */
export function followScripts(nodeSettings: FlatSettings): (state: Changing) => void {
  let seen: Changing | null = null;
  const follow = (state: Changing): void => {
    const { persistentSettings, transientSettings } = state;
    if (seen?.persistentSettings === persistentSettings && seen.transientSettings === transientSettings) return;
    seen = { persistentSettings, transientSettings };
    limitScripts(limitsOf((name) => transientSettings[name] ?? persistentSettings[name] ?? nodeSettings[name] ?? null));
  };
  follow(emptyState());
  return follow;
}

/**
 * What scripts run from. Builds before this one took any text for `script.max_compilations_rate`: one that is no rate
 * counts as not set, else no state of such a cluster could be applied.
 */
function limitsOf(read: ReadSetting): ReturnType<typeof readScriptLimits> {
  try {
    return readScriptLimits(read);
  } catch {
    return readScriptLimits((name) => (name === 'script.max_compilations_rate' ? null : read(name)));
  }
}
