import { type GeoDatabase, openGeoDatabase } from './geo-database.js';

/** The databases of a node by the names of their files. */
export interface GeoDatabases {
  /** Returns a database as it is now; null while there is none of the name. */
  get(file: string): GeoDatabase | null;
  /** Names of all, sorted. */
  names(): readonly string[];
}

/** Databases that their owner replaces while pipelines use them. */
export class LoadedGeoDatabases implements GeoDatabases {
  readonly #databases = new Map<string, GeoDatabase>();

  get(file: string): GeoDatabase | null {
    return this.#databases.get(file) ?? null;
  }

  names(): readonly string[] {
    return [...this.#databases.keys()].sort();
  }

  /** Puts a database in the place of that of the same name. Takes over `bytes`; throws for other formats. */
  load(file: string, bytes: Buffer): void {
    this.#databases.set(file, openGeoDatabase(bytes));
  }

  remove(file: string): void {
    this.#databases.delete(file);
  }
}
