import type { Files } from '@shoal/doors';

/** Twice LevelDB's write buffer: opening a store needs room for the content of its log file. */
const BALLAST_BYTES = 8 * 1024 * 1024;
/** The ballast is taken back when so much is free. */
const FREE_BYTES_MIN = 4 * BALLAST_BYTES;
const BLOCK_BYTES = 1024 * 1024;

/** Space kept back on a data path, given up when the disk is full so that stores can be reopened. */
export interface Ballast {
  /** Gives the space free. */
  drop(): Promise<void>;
  /** Takes it again; nothing happens when there is no room. */
  restore(): Promise<void>;
}

/** `path` is a file in `folder`, the data path. */
export async function openBallast(files: Files, folder: string, path: string): Promise<Ballast> {
  let isWhole = false;
  const restore = async (): Promise<void> => {
    if (isWhole || (await files.freeBytes(folder)) < FREE_BYTES_MIN) return;
    const file = await files.open(path);
    try {
      // Random-looking content, for file systems that compress.
      const block = Uint8Array.from({ length: BLOCK_BYTES }, (_, i) => Math.imul(i, 0x9e3779b1) >>> 24);
      for (let at = file.size(); at < BALLAST_BYTES; at += BLOCK_BYTES) file.writeAt(at, block);
      await file.sync();
      isWhole = true;
    } catch {
      await files.remove(path);
    } finally {
      file.close();
    }
  };
  await restore();
  return {
    restore,
    drop() {
      isWhole = false;
      return files.remove(path);
    },
  };
}
