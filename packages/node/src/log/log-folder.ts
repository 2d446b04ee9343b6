import fs from 'node:fs/promises';
import path from 'node:path';

/** The folder of log files, as far as rotation needs it. */
export interface LogFolder {
  /** Returns the length of a file in bytes; 0 if it is missing. */
  size(name: string): Promise<number>;
  /** Adds to the end of a file, all of it or nothing. */
  append(name: string, bytes: Uint8Array): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  remove(name: string): Promise<void>;
  list(): Promise<readonly string[]>;
}

/** Opens a folder of the file system, created at the first write. */
export function logFolder(folder: string): LogFolder {
  const at = (name: string): string => path.join(folder, name);
  const size = (name: string): Promise<number> =>
    fs.stat(at(name)).then(
      (stat) => stat.size,
      () => 0,
    );
  return {
    size,
    async append(name, bytes) {
      await fs.mkdir(folder, { recursive: true });
      const before = await size(name);
      // A full disk may write part of a line. That part is cut off again, so that the file stays lines of JSON.
      await fs.appendFile(at(name), bytes).catch(async (error: unknown) => {
        await fs.truncate(at(name), before).catch(() => undefined);
        throw error;
      });
    },
    rename: (from, to) => fs.rename(at(from), at(to)),
    remove: (name) => fs.rm(at(name), { force: true }),
    list: () => fs.readdir(folder).catch(() => []),
  };
}
