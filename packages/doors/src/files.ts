/** A file that is written in place or at its end, kept open by its owner. */
export interface OpenFile {
  /** Bytes in the file. */
  size(): number;
  /** Up to `length` bytes from `position`; fewer at the end of the file. Blocks. */
  readAt(position: number, length: number): Uint8Array;
  /** Writes in place. Blocks; survives the end of the process once it returns, power loss only after `sync`. */
  writeAt(position: number, bytes: Uint8Array): void;
  /** Cuts the file. */
  truncate(length: number): void;
  /** Resolves once everything written survives power loss. Rejects with the device's error. */
  sync(): Promise<void>;
  /** As `sync`, but blocks. */
  syncNow(): void;
  close(): void;
}

/** The few plain files beside the key-value stores: witnesses, markers, ballast, state log. Paths use `/`. */
export interface Files {
  /** The whole file, or null when there is none. */
  read(path: string): Promise<Uint8Array | null>;
  /**
   * Replaces the file as a whole: after a crash there is the old or the new content. Resolves once it survives power
   * loss.
   */
  replace(path: string, bytes: Uint8Array): Promise<void>;
  /**
   * Opens for reading and writing, creating the file and its folders when they are missing. That a new file is there
   * survives power loss, unless `syncsFolder` is false.
   */
  open(path: string, options?: { readonly syncsFolder: boolean }): Promise<OpenFile>;
  /** Removes a file; nothing happens when there is none. */
  remove(path: string): Promise<void>;
  /** Names in a folder; empty when there is none. */
  list(folder: string): Promise<string[]>;
  /** Bytes of all files below a folder. */
  folderSize(folder: string): Promise<number>;
  /** Bytes that can still be written to the file system of a folder that exists. */
  freeBytes(folder: string): Promise<number>;
  /** Removes a folder with all that is in it. */
  removeFolder(folder: string): Promise<void>;
  /** Removes a folder that nothing is in; one that is in use stays, whatever is made in it meanwhile. */
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

/** Files in memory, for tests and the simulator. They survive `close` and `open` of the same fake. */
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
    // There are no folders but those of files.
    removeEmptyFolder: async () => undefined,
  };
}
