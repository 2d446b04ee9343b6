import type { SimulatedFiles } from '../disk/simulated-files.js';

const CATALOG = /^snapshots-(\d+)\.json$/;
/** What earlier builds refuse. */
const MARK = 'snapshots.json';

interface Listed {
  readonly name: string;
  readonly globalState?: string;
  readonly indices: readonly {
    readonly uuid: string;
    readonly shards: readonly { readonly files: readonly string[] }[];
  }[];
}

const parsed = (bytes: Uint8Array): unknown => JSON.parse(Buffer.from(bytes).toString('utf8'));

/**
 * Checks at each change of a repository that every file that its catalog leads to is there
 * (docs/formats/repository-v3.md). It reads the files by itself, without the code of nodes.
 */
export class RepositoryBlobs {
  readonly #folder: string;
  readonly #files: SimulatedFiles;
  readonly #violate: (invariant: string, what: string) => void;
  /** Files that the catalog leads to, with the name of a snapshot that needs them. */
  #needed = new Map<string, string>();

  constructor(folder: string, files: SimulatedFiles, violate: (invariant: string, what: string) => void) {
    this.#folder = folder;
    this.#files = files;
    this.#violate = violate;
  }

  /** Called after a file was written or removed. */
  changed(path: string, isRemoved: boolean): void {
    if (!path.startsWith(`${this.#folder}/`)) return;
    if (CATALOG.test(path.slice(this.#folder.length + 1))) this.#look();
    else if (isRemoved && this.#needed.has(path))
      this.#violate('blobs', `${path} is removed, which snapshot ${this.#needed.get(path)} needs`);
  }

  /** Name of the catalog with the highest number. */
  get #newest(): string {
    const numbers = this.#files
      .paths(this.#folder)
      .map((path) => Number(CATALOG.exec(path.slice(this.#folder.length + 1))?.[1] ?? 0));
    return `snapshots-${Math.max(0, ...numbers)}.json`;
  }

  #look(): void {
    this.#needed = new Map();
    const catalog = this.#files.peek(`${this.#folder}/${this.#newest}`);
    if (catalog === null) return;
    for (const snapshot of (parsed(catalog) as { readonly snapshots: readonly Listed[] }).snapshots)
      for (const path of this.#pathsOf(snapshot)) {
        this.#needed.set(path, snapshot.name);
        if (this.#files.peek(path) === null)
          this.#violate('blobs', `${path} is not there, which snapshot ${snapshot.name} needs`);
      }
  }

  #pathsOf({ globalState, indices }: Listed): readonly string[] {
    const global = globalState === undefined ? [] : [`${this.#folder}/global/${globalState}`];
    return [
      ...global,
      ...indices.flatMap(({ uuid, shards }) =>
        shards.flatMap(({ files }) => files.flatMap((manifest) => this.#ofManifest(uuid, manifest))),
      ),
    ];
  }

  #ofManifest(uuid: string, manifest: string): readonly string[] {
    const path = (name: string): string => `${this.#folder}/data/${uuid}/${name}`;
    const bytes = this.#files.peek(path(manifest));
    const files = bytes === null ? [] : (parsed(bytes) as { readonly files: readonly string[] }).files;
    return [manifest, ...files].map(path);
  }

  /** Files of the repository that no snapshot needs. */
  get strays(): readonly string[] {
    this.#look();
    const kept = new Set([...this.#needed.keys(), ...[MARK, this.#newest].map((name) => `${this.#folder}/${name}`)]);
    return this.#files.paths(this.#folder).filter((path) => !kept.has(path));
  }
}
