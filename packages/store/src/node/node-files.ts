import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { mkdir, open, readFile, readdir, rename, rm, rmdir, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Files, OpenFile } from '@shoal/doors';

const fdatasyncAsync = promisify(fdatasync);

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';
/** Error codes of `rmdir` for a folder that is not empty. */
const IS_FILLED: ReadonlySet<string> = new Set(['ENOTEMPTY', 'EEXIST']);

/** Syncs a folder, which makes renames and new files in it durable. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function nodeFile(fd: number): OpenFile {
  return {
    size: () => fstatSync(fd).size,
    readAt(position, length) {
      const into = Buffer.allocUnsafe(length);
      const read = readSync(fd, into, 0, length, position);
      return into.subarray(0, read);
    },
    writeAt(position, bytes) {
      for (let done = 0; done < bytes.length; )
        done += writeSync(fd, bytes, done, bytes.length - done, position + done);
    },
    truncate: (length) => ftruncateSync(fd, length),
    sync: () => fdatasyncAsync(fd),
    syncNow: () => fdatasyncSync(fd),
    close: () => closeSync(fd),
  };
}

async function replaceFile(file: string, bytes: Uint8Array, aside: string, flags: 'w' | 'wx'): Promise<void> {
  const folder = path.dirname(file);
  await mkdir(folder, { recursive: true });
  const handle = await open(aside, flags);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(aside, file);
  await syncFolder(folder);
}

/** Opens an existing file; null if there is none, or if it is empty: then its folder may not be synced yet. */
function openWritten(file: string): OpenFile | null {
  let fd: number;
  try {
    fd = openSync(file, constants.O_RDWR);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
  if (fstatSync(fd).size > 0) return nodeFile(fd);
  closeSync(fd);
  return null;
}

async function openFile(file: string, { syncsFolder } = { syncsFolder: true }): Promise<OpenFile> {
  const written = openWritten(file);
  if (written) return written;
  await mkdir(path.dirname(file), { recursive: true });
  const opened = nodeFile(openSync(file, constants.O_RDWR | constants.O_CREAT, 0o600));
  if (syncsFolder) await syncFolder(path.dirname(file));
  return opened;
}

/** Bytes of all files below a folder. Files that disappear meanwhile (LevelDB replaces its own) count 0. */
async function sizeOfFolder(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const sizes = await Promise.all(
    names.map((name) =>
      stat(path.join(folder, name)).then(
        (found) => (found.isFile() ? found.size : 0),
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Options of `nodeFiles`. */
export interface NodeFilesOptions {
  /**
   * Whether other processes write to the same folders, such as those of a snapshot repository: two that replace a file
   * at the same time must not share the new file beside it. What a crash leaves of one is `NAME.<16 hexadecimal>.new`.
   */
  readonly isShared: boolean;
}

async function replaceShared(file: string, bytes: Uint8Array): Promise<void> {
  const aside = `${file}.${randomBytes(8).toString('hex')}.new`;
  try {
    await replaceFile(file, bytes, aside, 'wx');
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
}

/** `Files` on the file system. */
export function nodeFiles({ isShared }: NodeFilesOptions = { isShared: false }): Files {
  return {
    async read(file) {
      try {
        return await readFile(file);
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    replace: (file, bytes) => (isShared ? replaceShared(file, bytes) : replaceFile(file, bytes, `${file}.new`, 'w')),
    open: openFile,
    remove: (file) => rm(file, { force: true }),
    async list(folder) {
      try {
        return await readdir(folder);
      } catch (error) {
        if (isMissing(error)) return [];
        throw error;
      }
    },
    folderSize: sizeOfFolder,
    async freeBytes(folder) {
      const { bavail, bsize } = await statfs(folder);
      return bavail * bsize;
    },
    removeFolder: (folder) => rm(folder, { recursive: true, force: true }),
    async removeEmptyFolder(folder) {
      try {
        await rmdir(folder);
      } catch (error) {
        if (!isMissing(error) && !IS_FILLED.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
      }
    },
  };
}
