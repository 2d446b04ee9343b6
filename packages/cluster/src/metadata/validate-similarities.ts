import { errors } from '@shoal/errors';
import { parseSimilarity } from '@shoal/mapping';
import { checkSimilarityScripts } from '@shoal/script';
import type { FlatSettings } from '@shoal/state';

const PREFIX = 'index.similarity.';

/** Names that mappings may use without settings. */
const BUILT_IN = ['BM25', 'boolean'];

/** Settings of similarities by name: `{my: {type: 'BM25', k1: '1'}}`. */
function groups(flat: FlatSettings): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const found = new Map<string, Map<string, string>>();
  for (const [key, value] of Object.entries(flat)) {
    if (!key.startsWith(PREFIX) || value === null || value === undefined) continue;
    const [name = '', ...rest] = key.slice(PREFIX.length).split('.');
    const group = found.get(name) ?? new Map<string, string>();
    found.set(name, group.set(rest.join('.'), String(value)));
  }
  return found;
}

/** Throws if `index.similarity.*` names a similarity that is not there, or one with wrong parameters. */
export function validateSimilarities(flat: FlatSettings): void {
  for (const [name, group] of groups(flat)) {
    if (BUILT_IN.includes(name))
      throw errors.illegalArgument(`illegal value for [${PREFIX}${name}] cannot redefine built-in similarity`);
    const similarity = parseSimilarity(name, group);
    if (similarity.type === 'scripted') checkSimilarityScripts(similarity);
  }
}
