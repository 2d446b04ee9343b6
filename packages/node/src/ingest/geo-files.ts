import fs from 'node:fs/promises';
import path from 'node:path';
import type { Clock, Log, TimerHandle } from '@shoal/doors';
import { LoadedGeoDatabases } from '@shoal/ingest';

const ENDING = '.mmdb';
/** How often the folder is looked at. */
const INTERVAL_MS = 5000;

/** Folder, time and log of `GeoFiles`. */
export interface GeoFilesOptions {
  /** Folder of the databases; it need not exist. */
  readonly folder: string;
  readonly clock: Pick<Clock, 'after'>;
  readonly log: Log;
}

/**
 * Keeps the databases of a folder (`*.mmdb`) in memory, each as it is on disk: a file that appears, is replaced or goes
 * is noticed within 5 s. A file that is no database is logged, and the one before it stays.
 */
export class GeoFiles {
  readonly databases = new LoadedGeoDatabases();
  readonly #options: GeoFilesOptions;
  /** Length and time of change of each file when it was last read. */
  readonly #seen = new Map<string, string>();
  #timer: TimerHandle | null = null;
  #isClosed = false;

  constructor(options: GeoFilesOptions) {
    this.#options = options;
  }

  /** Reads the folder, and looks at it from then on. */
  async start(): Promise<void> {
    await this.refresh();
    if (this.#isClosed) return;
    this.#timer = this.#options.clock.after(INTERVAL_MS, () => void this.start());
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
  }

  /** Reads what has changed. Never rejects. */
  async refresh(): Promise<void> {
    const { folder } = this.#options;
    const names = (await fs.readdir(folder).catch(() => [])).filter((name) => name.endsWith(ENDING));
    for (const name of names) await this.#read(name).catch((error: unknown) => this.#refuse(name, error));
    for (const name of this.#seen.keys()) {
      if (names.includes(name)) continue;
      this.#seen.delete(name);
      this.databases.remove(name);
      this.#options.log.write('info', 'geoip database removed', { 'file.name': name });
    }
  }

  async #read(name: string): Promise<void> {
    const file = path.join(this.#options.folder, name);
    const { size, mtimeMs, ino } = await fs.stat(file);
    const version = `${size} ${mtimeMs} ${ino}`;
    if (this.#seen.get(name) === version) return;
    this.#seen.set(name, version);
    this.databases.load(name, await fs.readFile(file));
    this.#options.log.write('info', 'geoip database loaded', { 'file.name': name, 'file.size': size });
  }

  #refuse(name: string, error: unknown): void {
    this.#options.log.write('warn', 'geoip database cannot be read', { 'file.name': name, error });
  }
}
