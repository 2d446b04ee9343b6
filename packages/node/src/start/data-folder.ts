import fs from 'node:fs';
import path from 'node:path';
import type { Log } from '@shoal/doors';
import { levelStores } from '@shoal/store';
import { ConfigurationError } from '../settings/load-settings.js';

/** The locked data folder of a process. */
export interface DataFolder {
  readonly path: string;
  release(): Promise<void>;
}

/**
 * Takes the permissions of other users away from an existing folder: documents and hashes of passwords are in it. A
 * folder of another owner, as a volume that a group shares, stays as it is.
 */
function closeToOthers(folder: string, log: Log): void {
  const { mode } = fs.statSync(folder);
  if ((mode & 0o077) === 0) return;
  try {
    fs.chmodSync(folder, 0o700);
  } catch (error) {
    log.write('warn', 'other users of this machine may read the data folder, because it belongs to another owner', {
      'path.data': folder,
      mode: (mode & 0o777).toString(8),
      'error.message': (error as Error).message,
    });
  }
}

/** Files of the store that is the lock; LevelDB holds `LOCK` itself while it looks at the others. */
const NOT_THE_LOCK = /^(?!LOCK$)/;

const isHeld = (error: unknown): boolean =>
  error instanceof Error && ((error as { code?: string }).code === 'LEVEL_LOCKED' || isHeld(error.cause));

/**
 * Opens the store that is the lock. It holds no data: one that is damaged is made anew around its file `LOCK`, so that
 * two processes never hold the folder.
 */
async function openLock(folder: string, log: Log): ReturnType<ReturnType<typeof levelStores>['open']> {
  try {
    return await levelStores().open(folder);
  } catch (error) {
    if (isHeld(error) || !fs.existsSync(path.join(folder, 'LOCK'))) throw error;
    for (const name of fs.readdirSync(folder))
      if (NOT_THE_LOCK.test(name)) fs.rmSync(path.join(folder, name), { recursive: true });
    log.write('warn', 'the lock of the data folder was damaged and has been made anew; it holds no data', {
      path: folder,
      'error.message': (error as Error).message,
    });
    return levelStores().open(folder);
  }
}

/**
 * Creates the data folder and locks it for this process. The lock is LevelDB's; the system releases it however the
 * process ends. Throws ConfigurationError if another process holds the lock or the folder cannot be written.
 */
export async function takeDataFolder(folder: string, log: Log): Promise<DataFolder> {
  const absolute = path.resolve(folder);
  try {
    fs.mkdirSync(absolute, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new ConfigurationError(`path.data [${absolute}] cannot be created: ${(error as Error).message}`);
  }
  closeToOthers(absolute, log);
  const owner = path.join(absolute, 'node.pid');
  try {
    const lock = await openLock(path.join(absolute, 'node.lock'), log);
    fs.writeFileSync(owner, `${process.pid}\n`);
    return { path: absolute, release: () => lock.close() };
  } catch (error) {
    const { message } = error as Error;
    if (!isHeld(error)) throw new ConfigurationError(`path.data [${absolute}] cannot be locked or written: ${message}`);
    const by = fs.existsSync(owner) ? `process ${fs.readFileSync(owner, 'utf8').trim()}` : 'another process';
    throw new ConfigurationError(
      `path.data [${absolute}] is in use by ${by}; stop it or start this node with another path.data (${message})`,
    );
  }
}
