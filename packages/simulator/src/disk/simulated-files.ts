import type { Files, OpenFile } from '@shoal/doors';
import type { ProcessGate } from '../time/event-loop.js';
import { type Device, ioFailure, noSpace } from './device.js';

/** A write in the page cache that may not be on disk yet. */
interface Change {
  /** Bytes to write; null truncates the file to `position`. */
  readonly bytes: Uint8Array | null;
  readonly position: number;
}

interface SimulatedFile {
  /** Content that processes see. */
  bytes: Uint8Array;
  /** Content on disk. */
  durable: Uint8Array;
  unsynced: Change[];
  /** Whether a failed sync has left out changes that processes see. */
  isTorn?: boolean;
}

/** An atomic replacement of a file by a thread. */
interface Replacement {
  readonly bytes: Uint8Array;
  readonly gate: ProcessGate;
}

const EMPTY = new Uint8Array(0);
/** Size of an atomic write of a disk. */
const SECTOR_BYTES = 512;

function changed(bytes: Uint8Array, change: Change): Uint8Array {
  if (change.bytes === null) return bytes.slice(0, change.position);
  const end = change.position + change.bytes.length;
  if (change.position === bytes.length) return appended(bytes, change.bytes);
  const next = end > bytes.length ? new Uint8Array(end) : bytes.slice();
  if (end > bytes.length) next.set(bytes);
  next.set(change.bytes, change.position);
  return next;
}

/** How many bytes of a buffer are used, from its beginning: only the longest content of a buffer is extended. */
const used = new WeakMap<ArrayBufferLike, number>();

/** Appends in the room that the buffer has left, so that a log that grows is not copied each time. */
function appended(bytes: Uint8Array, more: Uint8Array): Uint8Array {
  const end = bytes.length + more.length;
  if (used.get(bytes.buffer) === bytes.length && bytes.byteOffset === 0 && bytes.buffer.byteLength >= end) {
    const next = new Uint8Array(bytes.buffer, 0, end);
    next.set(more, bytes.length);
    used.set(bytes.buffer, end);
    return next;
  }
  const next = new Uint8Array(2 * end).subarray(0, end);
  next.set(bytes);
  next.set(more, bytes.length);
  used.set(next.buffer, end);
  return next;
}

/** The plain files of one node. Writes reach the page cache at once, and the disk at a sync. */
export class SimulatedFiles {
  readonly #files = new Map<string, SimulatedFile>();
  readonly #device: Device;
  /** Atomic replacements in progress: a crash leaves the old or the new content. */
  readonly #replacing = new Map<string, Replacement>();
  readonly #changed: (path: string, isRemoved: boolean) => void;

  /** `changed` is called after a file was replaced or removed. */
  constructor(device: Device, changed: (path: string, isRemoved: boolean) => void = () => undefined) {
    this.#device = device;
    this.#changed = changed;
  }

  /** Returns the files effect of one process. */
  door(gate: ProcessGate): Files {
    const device = this.#device;
    const read = (): Promise<void> => device.wait(gate, device.doneAt('read'));
    return {
      read: async (path) => {
        await read();
        return this.#files.get(path)?.bytes.slice() ?? null;
      },
      replace: (path, bytes) => this.#replace(gate, path, new Uint8Array(bytes)),
      open: async (path) => {
        await read();
        let file = this.#files.get(path);
        if (!file) this.#files.set(path, (file = { bytes: EMPTY, durable: EMPTY, unsynced: [] }));
        return this.#opened(gate, file);
      },
      remove: async (path) => {
        await read();
        this.#remove(path);
      },
      list: async (folder) => {
        await read();
        return [...new Set(this.#below(folder).map((path) => path.slice(folder.length + 1).split('/')[0]!))];
      },
      folderSize: async (folder) =>
        this.#below(folder).reduce((sum, path) => sum + this.#files.get(path)!.bytes.length, 0),
      freeBytes: async () => (device.isFull ? 0 : 100 * 2 ** 30),
      removeFolder: async (folder) => {
        await read();
        for (const path of this.#below(folder)) this.#remove(path);
      },
      removeEmptyFolder: async () => undefined,
    };
  }

  #remove(path: string): void {
    if (this.#files.delete(path)) this.#changed(path, true);
  }

  /** Returns the content that processes see, at once; null if there is no such file. */
  peek(path: string): Uint8Array | null {
    return this.#files.get(path)?.bytes ?? null;
  }

  /** Returns the paths of all files below a folder. */
  paths(folder: string): string[] {
    return this.#below(folder);
  }

  /** Ends a process. With `power` the page cache is lost too: any part of it may have reached the disk. */
  crash(power: boolean): void {
    this.#endReplacements(() => true);
    for (const file of this.#files.values()) if (power && file.bytes !== file.durable) this.#losePower(file);
  }

  /** Ends a thread of a process: what it was replacing is the old or the new. */
  endThread(gate: ProcessGate): void {
    this.#endReplacements((replacement) => replacement.gate === gate);
  }

  #endReplacements(isOver: (replacement: Replacement) => boolean): void {
    for (const [path, replacement] of this.#replacing) {
      if (!isOver(replacement)) continue;
      this.#replacing.delete(path);
      const { bytes } = replacement;
      if (this.#device.random.next() < 0.5) this.#files.set(path, { bytes, durable: bytes, unsynced: [] });
    }
  }

  #losePower(file: SimulatedFile): void {
    const { random } = this.#device;
    const images = [file.durable];
    for (const change of file.unsynced) images.push(changed(images.at(-1)!, change));
    const pick = (from: number): number => from + Math.floor(random.next() * (images.length - from));
    // The file has the length after some prefix of the writes. A journalling file system has written the data below its
    // end first.
    const ofLength = pick(0);
    const bytes = new Uint8Array(images[ofLength]!.length);
    for (let at = 0; at < bytes.length; at += SECTOR_BYTES) {
      const image = images[pick(at + SECTOR_BYTES > file.durable.length ? ofLength : 0)]!;
      bytes.set(image.subarray(at, Math.min(at + SECTOR_BYTES, bytes.length)), at);
    }
    file.bytes = bytes;
    file.durable = bytes;
    file.unsynced = [];
    file.isTorn = false;
  }

  #below(folder: string): string[] {
    return [...this.#files.keys()].filter((path) => path.startsWith(`${folder}/`));
  }

  async #replace(gate: ProcessGate, path: string, bytes: Uint8Array): Promise<void> {
    const device = this.#device;
    if (device.isFull) throw noSpace();
    this.#replacing.set(path, { bytes, gate });
    await device.wait(gate, device.doneAt('sync'));
    this.#replacing.delete(path);
    if (device.takeFailure()) throw ioFailure();
    this.#files.set(path, { bytes, durable: bytes, unsynced: [] });
    this.#changed(path, false);
  }

  #opened(gate: ProcessGate, file: SimulatedFile): OpenFile {
    const device = this.#device;
    const change = (next: Change): void => {
      file.bytes = changed(file.bytes, next);
      file.unsynced.push(next);
    };
    const synced = (count: number): void => {
      const isAll = count === file.unsynced.length && file.isTorn !== true;
      const done = file.unsynced.splice(0, count);
      file.durable = isAll ? file.bytes : done.reduce(changed, file.durable);
    };
    return {
      size: () => file.bytes.length,
      readAt: (position, length) => file.bytes.slice(position, position + length),
      writeAt(position, bytes) {
        if (device.isFull && position + bytes.length > file.bytes.length) throw noSpace();
        change({ position, bytes: new Uint8Array(bytes) });
      },
      truncate: (length) => change({ position: length, bytes: null }),
      async sync() {
        if (device.lies.fileSync) return;
        const count = file.unsynced.length;
        await device.wait(gate, device.doneAt('sync'));
        if (device.takeFailure()) {
          // Linux marks the pages of a failed sync as written: processes go on reading them, and no sync writes them.
          file.unsynced.splice(0, count);
          file.isTorn = true;
          throw ioFailure();
        }
        synced(Math.min(count, file.unsynced.length));
      },
      syncNow: () => synced(file.unsynced.length),
      close: () => undefined,
    };
  }
}
