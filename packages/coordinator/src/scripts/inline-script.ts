import { errors } from '@shoal/errors';
import { checkScriptType, type InlineScript, isInline, type ScriptSource, type StoredScript } from '@shoal/script';
import { type ClusterState, sectionEntry } from '@shoal/state';

/**
 * Returns a script with its text: its own or that of a stored one. Throws resource_not_found_exception (404), and for
 * scripts whose text comes from where the node allows none.
 */
export function inlineScript(state: ClusterState, script: ScriptSource): InlineScript {
  checkScriptType(isInline(script) ? 'inline' : 'stored');
  if (isInline(script)) return script;
  const stored = sectionEntry(state, 'storedScripts', script.id ?? '') as StoredScript | undefined;
  if (stored === undefined) throw errors.resourceNotFound(`unable to find script [${script.id}] in cluster state`);
  return { id: null, params: script.params, lang: stored.lang, source: stored.source, options: stored.options ?? {} };
}
