import type { Files } from '@shoal/doors';

/** The folder that all nodes share like a network file system: `path.repo`. */
export const SHARED_FOLDER = 'repository';
/** Name and place of the snapshot repository. */
export const REPOSITORY = { repository: 'backups', location: 'backups', folder: `${SHARED_FOLDER}/backups` } as const;

const isShared = (path: string): boolean => path === SHARED_FOLDER || path.startsWith(`${SHARED_FOLDER}/`);

/** Combines a node's own files with the shared ones below the repository's folder. */
export function withRepository(own: Files, shared: Files): Files {
  const at = (path: string): Files => (isShared(path) ? shared : own);
  return {
    read: (path) => at(path).read(path),
    replace: (path, bytes) => at(path).replace(path, bytes),
    open: (path, options) => at(path).open(path, options),
    remove: (path) => at(path).remove(path),
    list: (folder) => at(folder).list(folder),
    folderSize: (folder) => at(folder).folderSize(folder),
    freeBytes: (folder) => at(folder).freeBytes(folder),
    removeFolder: (folder) => at(folder).removeFolder(folder),
    removeEmptyFolder: (folder) => at(folder).removeEmptyFolder(folder),
  };
}
