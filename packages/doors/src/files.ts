/** An open file, read and written at any position. */
export interface OpenFile {
  /** Length of the file in bytes. */
  size(): number;
  /** Up to `length` bytes from `position`; fewer at the end of the file. Blocks. */
  readAt(position: number, length: number): Uint8Array;
  /**
   * Writes at `position`; the file grows if necessary. Blocks. Once it returns, the bytes survive the end of the
   * process; they survive power loss only after `sync`.
   */
  writeAt(position: number, bytes: Uint8Array): void;
  /** Sets the length of the file, in bytes. Blocks. */
  truncate(length: number): void;
  /** Resolves once everything written survives power loss. Rejects with the device's error. */
  sync(): Promise<void>;
  /** As `sync`, but blocks. */
  syncNow(): void;
  close(): void;
}

/** Plain files beside the key-value stores: witnesses, markers, ballast, state log. Paths use `/`. */
export interface Files {
  /** Content of the file, or null if there is none. */
  read(path: string): Promise<Uint8Array | null>;
  /**
   * Replaces the file as a whole: after a crash there is the old or the new content. Resolves once it survives power
   * loss.
   */
  replace(path: string, bytes: Uint8Array): Promise<void>;
  /**
   * Opens a file for reading and writing. Creates the file and its folders if they are missing; the new directory entry
   * survives power loss unless `syncsFolder` is false.
   */
  open(path: string, options?: { readonly syncsFolder: boolean }): Promise<OpenFile>;
  /** Removes a file; does nothing if there is none. */
  remove(path: string): Promise<void>;
  /** Names of the files and folders directly in a folder; empty if the folder does not exist. */
  list(folder: string): Promise<string[]>;
  /** Bytes of all files below a folder, at any depth. */
  folderSize(folder: string): Promise<number>;
  /** Free bytes of the file system that holds a folder; the folder must exist. */
  freeBytes(folder: string): Promise<number>;
  /** Removes a folder with everything in it. */
  removeFolder(folder: string): Promise<void>;
  /**
   * Removes a folder if it is empty; otherwise does nothing. Atomic: a file that another caller creates in the folder
   * at the same time is never lost.
   */
  removeEmptyFolder(folder: string): Promise<void>;
}

interface MemoryFile {
  bytes: Uint8Array;
}

function memoryFile(file: MemoryFile): OpenFile {
  const resize = (length: number): void => {
    const next = new Uint8Array(length);
    next.set(file.bytes.subarray(0, length));
    file.bytes = next;
  };
  return {
    size: () => file.bytes.length,
    readAt: (position, length) => file.bytes.slice(position, position + length),
    writeAt(position, bytes) {
      if (position + bytes.length > file.bytes.length) resize(position + bytes.length);
      file.bytes.set(bytes, position);
    },
    truncate: resize,
    sync: async () => undefined,
    syncNow: () => undefined,
    close: () => undefined,
  };
}

/** Files in memory, for tests. They survive `close` and `open` of the same fake. */
export function memoryFiles(): Files {
  const files = new Map<string, MemoryFile>();
  const below = (folder: string): string[] => [...files.keys()].filter((path) => path.startsWith(`${folder}/`));
  return {
    read: async (path) => files.get(path)?.bytes.slice() ?? null,
    async replace(path, bytes) {
      files.set(path, { bytes: bytes.slice() });
    },
    async open(path) {
      let file = files.get(path);
      if (!file) files.set(path, (file = { bytes: new Uint8Array(0) }));
      return memoryFile(file);
    },
    async remove(path) {
      files.delete(path);
    },
    list: async (folder) => [...new Set(below(folder).map((path) => path.slice(folder.length + 1).split('/')[0]!))],
    folderSize: async (folder) => below(folder).reduce((sum, path) => sum + files.get(path)!.bytes.length, 0),
    freeBytes: async () => Number.MAX_SAFE_INTEGER,
    async removeFolder(folder) {
      for (const path of below(folder)) files.delete(path);
    },
    // A folder exists only while it has files, so there is never an empty one.
    removeEmptyFolder: async () => undefined,
  };
}
