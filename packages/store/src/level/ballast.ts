import type { Files } from '@shoal/doors';

/**
 * Size of the ballast: twice LevelDB's write buffer, because opening a store writes the content of its log file again.
 */
const BALLAST_BYTES = 8 * 1024 * 1024;
/** The ballast is written again once this many bytes are free. */
const FREE_BYTES_MIN = 4 * BALLAST_BYTES;
const BLOCK_BYTES = 1024 * 1024;

/** A file that reserves disk space. It is deleted when the disk is full, so that stores can be reopened. */
export interface Ballast {
  /** Deletes the file, which frees its space. */
  drop(): Promise<void>;
  /** Writes the file again if there is enough room. */
  restore(): Promise<void>;
}

/** Opens the ballast file `path` in `folder`, the data path, and writes it if there is enough room. */
export async function openBallast(files: Files, folder: string, path: string): Promise<Ballast> {
  let isWhole = false;
  const restore = async (): Promise<void> => {
    if (isWhole || (await files.freeBytes(folder)) < FREE_BYTES_MIN) return;
    const file = await files.open(path);
    try {
      // The content looks random, because some file systems compress.
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
