import fs from 'node:fs';
import path from 'node:path';
import { levelStores } from '@shoal/store';
import { ConfigurationError } from '../settings/load-settings.js';

/** The locked data folder of a process. */
export interface DataFolder {
  readonly path: string;
  release(): Promise<void>;
}

/**
 * Creates the data folder and locks it for this process. The lock is LevelDB's; the system releases it however the
 * process ends. Throws ConfigurationError if another process holds the lock or the folder cannot be written.
 */
export async function takeDataFolder(folder: string): Promise<DataFolder> {
  const absolute = path.resolve(folder);
  try {
    fs.mkdirSync(absolute, { recursive: true });
  } catch (error) {
    throw new ConfigurationError(`path.data [${absolute}] cannot be created: ${(error as Error).message}`);
  }
  const owner = path.join(absolute, 'node.pid');
  try {
    const lock = await levelStores().open(path.join(absolute, 'node.lock'));
    fs.writeFileSync(owner, `${process.pid}\n`);
    return { path: absolute, release: () => lock.close() };
  } catch (error) {
    const by = fs.existsSync(owner) ? `process ${fs.readFileSync(owner, 'utf8').trim()}` : 'another process';
    throw new ConfigurationError(
      `path.data [${absolute}] is in use by ${by}, or cannot be written; stop it or start this node with another ` +
        `path.data (${(error as Error).message})`,
    );
  }
}
