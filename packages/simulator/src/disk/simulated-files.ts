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
}

const EMPTY = new Uint8Array(0);
/** Size of an atomic write of a disk. */
const SECTOR_BYTES = 512;

function changed(bytes: Uint8Array, change: Change): Uint8Array {
  if (change.bytes === null) return bytes.slice(0, change.position);
  const end = change.position + change.bytes.length;
  const next = end > bytes.length ? new Uint8Array(end) : bytes.slice();
  if (next.length !== bytes.length || end > bytes.length) next.set(bytes);
  next.set(change.bytes, change.position);
  return next;
}

/** The plain files of one node. Writes reach the page cache at once, and the disk at a sync. */
export class SimulatedFiles {
  readonly #files = new Map<string, SimulatedFile>();
  readonly #device: Device;
  /** Atomic replacements in progress: a crash leaves the old or the new content. */
  readonly #replacing = new Map<string, Uint8Array>();

  constructor(device: Device) {
    this.#device = device;
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
        this.#files.delete(path);
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
        for (const path of this.#below(folder)) this.#files.delete(path);
      },
      removeEmptyFolder: async () => undefined,
    };
  }

  /** Returns the paths of all files below a folder. */
  paths(folder: string): string[] {
    return this.#below(folder);
  }

  /** Ends a process. With `power` the page cache is lost too: any part of it may have reached the disk. */
  crash(power: boolean): void {
    const { random } = this.#device;
    for (const [path, bytes] of this.#replacing)
      if (random.next() < 0.5) this.#files.set(path, { bytes, durable: bytes, unsynced: [] });
    this.#replacing.clear();
    for (const file of this.#files.values()) if (power && file.bytes !== file.durable) this.#losePower(file);
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
  }

  #below(folder: string): string[] {
    return [...this.#files.keys()].filter((path) => path.startsWith(`${folder}/`));
  }

  async #replace(gate: ProcessGate, path: string, bytes: Uint8Array): Promise<void> {
    const device = this.#device;
    if (device.isFull) throw noSpace();
    this.#replacing.set(path, bytes);
    await device.wait(gate, device.doneAt('sync'));
    this.#replacing.delete(path);
    if (device.takeFailure()) throw ioFailure();
    this.#files.set(path, { bytes, durable: bytes, unsynced: [] });
  }

  #opened(gate: ProcessGate, file: SimulatedFile): OpenFile {
    const device = this.#device;
    const change = (next: Change): void => {
      file.bytes = changed(file.bytes, next);
      file.unsynced.push(next);
    };
    const synced = (count: number): void => {
      file.durable = file.unsynced.splice(0, count).reduce(changed, file.durable);
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
          throw ioFailure();
        }
        synced(Math.min(count, file.unsynced.length));
      },
      syncNow: () => synced(file.unsynced.length),
      close: () => undefined,
    };
  }
}
