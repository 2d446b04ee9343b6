import { errors } from '@shoal/errors';
import { sectionEntry, section } from '@shoal/state';
import { withEntry, withoutKeys, withSection } from '../metadata/edit-state.js';
import { ACKNOWLEDGED, defineTask } from './task.js';

/** Body of `putStoredScript`: the script was validated by the node that got the request. */
export interface PutStoredScriptBody {
  readonly id: string;
  /** As the cluster state shows it: `lang`, `source`, and `options` if there are any. */
  readonly script: Readonly<Record<string, unknown>>;
}

/** Body of `deleteStoredScript`. */
export interface DeleteStoredScriptBody {
  readonly id: string;
}

/** Stores a script or template, or replaces it. */
export const putStoredScript = defineTask<PutStoredScriptBody>({
  name: 'put-stored-script',
  priority: 'NORMAL',
  source: ({ id }) => `put-script-${id}`,
  apply: (state, { id, script }) => ({ state: withEntry(state, 'storedScripts', id, script), answer: ACKNOWLEDGED }),
});

/** Deletes a stored script. Throws resource_not_found_exception if there is none. */
export const deleteStoredScript = defineTask<DeleteStoredScriptBody>({
  name: 'delete-stored-script',
  priority: 'NORMAL',
  source: ({ id }) => `delete-script-${id}`,
  apply(state, { id }) {
    if (sectionEntry(state, 'storedScripts', id) === undefined)
      throw errors.resourceNotFound(`stored script [${id}] does not exist and cannot be deleted`);
    const scripts = withoutKeys(section(state, 'storedScripts'), new Set([id]));
    return { state: withSection(state, 'storedScripts', scripts), answer: ACKNOWLEDGED };
  },
});
