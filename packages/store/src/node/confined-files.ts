import { readlink, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Files } from '@shoal/doors';
import { errors } from '@shoal/errors';

/**
 * The real path of a file that may not exist yet: of what exists of it all symbolic links are followed, those to
 * nothing too, and the rest is appended.
 */
async function realPathOf(file: string): Promise<string> {
  const absolute = path.resolve(file);
  try {
    return await realpath(absolute);
  } catch (error) {
    const parent = path.dirname(absolute);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === absolute) throw error;
    const folder = await realPathOf(parent);
    const target = await readlink(absolute).catch(() => null);
    return target === null ? path.join(folder, path.basename(absolute)) : realPathOf(path.resolve(folder, target));
  }
}

/** Real paths of a file and of the new content beside it, as `realPathOf`: of both the folder is resolved once. */
async function realPathsBeside(file: string): Promise<readonly string[]> {
  const absolute = path.resolve(file);
  const folder = await realPathOf(path.dirname(absolute));
  const names = [path.basename(absolute), `${path.basename(absolute)}.new`];
  return Promise.all(
    names.map(async (name) => {
      const target = await readlink(path.join(folder, name)).catch(() => null);
      return target === null ? path.join(folder, name) : realPathOf(path.resolve(folder, target));
    }),
  );
}

/** Whether a path is a folder or below it. Both are real paths. */
const isWithin = (file: string, folder: string): boolean =>
  file === folder || file.startsWith(folder.endsWith(path.sep) ? folder : `${folder}${path.sep}`);

/**
 * Files of which only those below some folders can be used. Every path that comes from a request, from a repository or
 * from another node goes through here: n1 is asked to take a snapshot into `/backup/../etc`, or into `/backup/x`, which
 * is a symbolic link to `/etc`. Each call resolves all links of its path again, because they may have changed since a
 * repository was registered. Throws repository_exception (400) for other paths. The folders themselves may be links.
 */
export function confinedFiles(files: Files, roots: readonly string[]): Files {
  const checked = async <Result>(
    file: string,
    use: () => Promise<Result>,
    realPaths: () => Promise<readonly string[]> = async () => [await realPathOf(file)],
  ): Promise<Result> => {
    const outside = (): Error =>
      errors.repository(`[${file}] is not below a folder that path.repo or repositories.url.allowed_urls allow`, {
        status: 400,
      });
    if (file.includes('\0')) throw outside();
    // Throws ELOOP for links in a circle.
    const [reals, folders] = await Promise.all([realPaths(), Promise.all(roots.map(realPathOf))]);
    if (!reals.every((real) => folders.some((folder) => isWithin(real, folder)))) throw outside();
    return use();
  };
  return {
    read: (file) => checked(file, () => files.read(file)),
    // The new content is written beside the file first.
    replace: (file, bytes) =>
      checked(
        file,
        () => files.replace(file, bytes),
        () => realPathsBeside(file),
      ),
    open: (file, options) => checked(file, () => files.open(file, options)),
    remove: (file) => checked(file, () => files.remove(file)),
    list: (folder) => checked(folder, () => files.list(folder)),
    folderSize: (folder) => checked(folder, () => files.folderSize(folder)),
    freeBytes: (folder) => checked(folder, () => files.freeBytes(folder)),
    removeFolder: (folder) => checked(folder, () => files.removeFolder(folder)),
    removeEmptyFolder: (folder) => checked(folder, () => files.removeEmptyFolder(folder)),
  };
}
