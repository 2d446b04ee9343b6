import { errors } from '@shoal/errors';
import { type IndexMetadata, isMounted, isPartiallyMounted, MOUNTED } from '@shoal/state';

/**
 * Throws if a partially mounted index would have replicas: its data is in the repository, and copies have only a part.
 */
export function checkMountedReplicas(meta: IndexMetadata): void {
  if (!isPartiallyMounted(meta)) return;
  const expand = meta.settings['index.auto_expand_replicas'] ?? 'false';
  if (meta.numberOfReplicas === 0 && expand === 'false') return;
  throw errors.illegalArgument(
    `index [${meta.name}] is mounted with [shared_cache] and has no replicas: its files are in the repository ` +
      `[${String(meta.settings[MOUNTED.repository])}]`,
  );
}

/** Throws if an update of settings would make a mounted index writable, or forget where it is from. */
export function checkMountedUpdate(before: IndexMetadata, after: IndexMetadata): void {
  if (!isMounted(before)) return;
  const lost = Object.values(MOUNTED).find((name) => before.settings[name] !== after.settings[name]);
  if (lost !== undefined)
    throw errors.illegalArgument(`can not update private setting [${lost}]; this setting is managed by Elasticsearch`);
  if (after.settings['index.blocks.write'] !== 'true')
    throw errors.illegalArgument(`Cannot remove write block from searchable snapshot index [${before.name}]`);
  checkMountedReplicas(after);
}
