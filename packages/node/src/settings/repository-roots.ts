import { fileURLToPath } from 'node:url';
import { ConfigurationError, type NodeSettings } from './load-settings.js';

const ALLOWED = 'repositories.url.allowed_urls';

/** Folder of an allowed URL: all of `file:/mnt/backup/*`, or exactly `file:/mnt/backup`. */
function folderOf(url: string): string {
  try {
    return fileURLToPath(url.replace(/\*+$/, '')).replace(/(.)\/$/, '$1');
  } catch {
    throw new ConfigurationError(
      `${ALLOWED} [${url}]: repositories of type url are read from files here: file:/folder, or file:/folder/*`,
    );
  }
}

/**
 * Folders in which snapshot repositories may be: `path.repo`, and those of `repositories.url.allowed_urls`. Throws
 * ConfigurationError for URLs that do not name files.
 */
export function repositoryRoots(settings: NodeSettings): readonly string[] {
  return [...settings.list('path.repo'), ...settings.list(ALLOWED).map(folderOf)];
}
