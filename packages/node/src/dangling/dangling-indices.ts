import { createHash } from 'node:crypto';
import path from 'node:path';
import { tombstones } from '@shoal/cluster';
import type { ClusterState, IndexMetadata } from '@shoal/state';
import type { Clock, Files, Log } from '@shoal/doors';
import type { NodeCalls } from '../assembly/node-calls.js';

const LOOK_INTERVAL_MS = 1_000;

/** Folder and state of a node, and its doors. */
export interface DanglingIndicesOptions {
  readonly dataPath: string;
  readonly nodeId: string;
  readonly state: () => ClusterState;
  readonly files: Files;
  readonly clock: Clock;
  readonly log: Log;
}

/** An index of which this node has stores and the cluster state knows nothing. */
export interface DanglingIndex {
  readonly uuid: string;
  /** Numbers of the shards whose stores are here. */
  readonly shards: readonly number[];
  /** Its metadata as this node knew it last; null if it was never written, or is damaged. */
  readonly metadata: IndexMetadata | null;
}

/**
 * Indices whose stores lie in the data folder of a node while its cluster does not know them: a cluster that was formed
 * anew after all copies of its state were lost, or a node that comes from another cluster. Nothing overwrites or
 * removes them. So that they can be imported, the node keeps beside its stores the metadata of each index that it has
 * copies of.
 */
export class DanglingIndices {
  readonly #options: DanglingIndicesOptions;
  /** Metadata that is on disk, by uuid. */
  readonly #written = new Map<string, IndexMetadata>();
  readonly #told = new Set<string>();
  #looked: Pick<ClusterState, 'indices' | 'routing'> | null = null;
  #hasFailed = false;
  #isClosed = false;

  constructor(options: DanglingIndicesOptions) {
    this.#options = options;
  }

  /** Keeps metadata of indices up to date and warns of dangling ones, each second if the state has changed. */
  start(): void {
    if (this.#isClosed) return;
    const again = (): void => void this.#options.clock.after(LOOK_INTERVAL_MS, () => this.start());
    void this.#look()
      .then(
        () => (this.#hasFailed = false),
        (error: unknown) => this.#warn(error),
      )
      .finally(again);
  }

  close(): void {
    this.#isClosed = true;
  }

  /** Once, however long it fails: a full disk would bring the same line each second. */
  #warn(error: unknown): void {
    if (!this.#hasFailed)
      this.#options.log.write('warn', 'metadata of indices could not be kept beside their stores', { error });
    this.#hasFailed = true;
  }

  /** Calls by which other nodes ask. */
  readonly calls: NodeCalls = { 'list-dangling': async () => this.list() };

  /** The dangling indices of this node; none while no master is known. */
  async list(): Promise<DanglingIndex[]> {
    const { files, state } = this.#options;
    if (state().masterNodeId === null) return [];
    const buried = new Set(tombstones(state()).map(({ uuid }) => uuid));
    const found: DanglingIndex[] = [];
    for (const uuid of await files.list(this.#path('indices'))) {
      if (state().indices.has(uuid) || buried.has(uuid)) continue;
      const names = await files.list(this.#path('indices', uuid));
      const shards = names.filter((name) => /^\d+$/.test(name)).map(Number);
      if (shards.length > 0) found.push({ uuid, shards, metadata: await this.#read(uuid) });
    }
    return found;
  }

  #path(...names: readonly string[]): string {
    return path.join(this.#options.dataPath, ...names);
  }

  #metadataPath(uuid: string): string {
    return this.#path('index-metadata', uuid);
  }

  async #look(): Promise<void> {
    const { indices, routing, masterNodeId } = this.#options.state();
    if (masterNodeId === null || (this.#looked?.indices === indices && this.#looked.routing === routing)) return;
    await this.#keep();
    for (const { uuid, metadata, shards } of await this.list()) this.#tell(uuid, metadata?.name ?? null, shards);
    this.#looked = { indices, routing };
  }

  #tell(uuid: string, name: string | null, shards: readonly number[]): void {
    if (this.#told.has(uuid)) return;
    this.#told.add(uuid);
    this.#options.log.write(
      'warn',
      'the data folder has stores of an index that the cluster does not know; GET /_dangling lists it, POST ' +
        '/_dangling/{uuid}?accept_data_loss=true takes it back',
      { 'shoal.index.uuid': uuid, 'shoal.index.name': name, 'shoal.shards': shards.join(',') },
    );
  }

  /** Writes the metadata of indices with copies here that has changed, and removes that of indices without stores. */
  async #keep(): Promise<void> {
    const { state, nodeId, files } = this.#options;
    const { indices, routing } = state();
    const held = [...indices.values()].filter(({ uuid }) =>
      routing.get(uuid)?.some((copies) => copies.some((copy) => copy.nodeId === nodeId)),
    );
    for (const metadata of held) {
      if (this.#written.get(metadata.uuid) === metadata) continue;
      await files.replace(this.#metadataPath(metadata.uuid), encodeMetadata(metadata));
      this.#written.set(metadata.uuid, metadata);
    }
    const stores = new Set(await files.list(this.#path('indices')));
    for (const uuid of await files.list(this.#path('index-metadata'))) {
      if (stores.has(uuid) || indices.has(uuid)) continue;
      await files.remove(this.#metadataPath(uuid));
      this.#written.delete(uuid);
    }
  }

  async #read(uuid: string): Promise<IndexMetadata | null> {
    const bytes = await this.#options.files.read(this.#metadataPath(uuid));
    const metadata = bytes === null ? null : decodeMetadata(bytes);
    return metadata?.uuid === uuid ? metadata : null;
  }
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Metadata as a file: a line with the hash of the JSON that follows. */
function encodeMetadata(metadata: IndexMetadata): Uint8Array {
  const json = JSON.stringify(metadata);
  return Buffer.from(`${hashOf(json)}\n${json}\n`);
}

/** The metadata of a file; null if the file is damaged. */
function decodeMetadata(bytes: Uint8Array): IndexMetadata | null {
  const [hash, json = ''] = Buffer.from(bytes).toString('utf8').split('\n');
  return hash === hashOf(json) ? (JSON.parse(json) as IndexMetadata) : null;
}
