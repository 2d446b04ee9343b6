import type { SimulatedFiles } from '../disk/simulated-files.js';

const CATALOG = 'snapshots.json';

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
 * (docs/formats/repository-v2.md). It reads the files by itself, without the code of nodes.
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
    if (path === `${this.#folder}/${CATALOG}`) this.#look();
    else if (isRemoved && this.#needed.has(path))
      this.#violate('blobs', `${path} is removed, which snapshot ${this.#needed.get(path)} needs`);
  }

  #look(): void {
    this.#needed = new Map();
    const catalog = this.#files.peek(`${this.#folder}/${CATALOG}`);
    if (catalog === null) return this.#violate('blobs', 'the catalog is removed');
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
    const kept = new Set([...this.#needed.keys(), `${this.#folder}/${CATALOG}`]);
    return this.#files.paths(this.#folder).filter((path) => !kept.has(path));
  }
}
