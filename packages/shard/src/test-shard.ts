import { buildAnalysisRegistry } from '@shoal/analysis';
import {
  type Files,
  type FakeClock,
  fakeClock,
  type KeyValueStores,
  memoryFiles,
  memoryStores,
  seededRandom,
  silentLog,
} from '@shoal/doors';
import type { ApiError } from '@shoal/errors';
import { mappingOptions, mergeMappings, parseMapping } from '@shoal/mapping';
import type { shard } from '@shoal/protocol';
import { createBlockCache } from '@shoal/store';
import { openShard } from './open-shard.js';
import { createCacheBudgets } from './engine/cache-budget.js';
import type { MappingMaster, MergeRunner, OpenShardOptions, Shard } from './shard-api.js';
import type { ShardMetadata } from './shard-metadata.js';

/** A write in short form; `source` undefined deletes. */
export interface TestWrite {
  readonly op: 'index' | 'create' | 'update' | 'delete';
  readonly id: string;
  readonly source?: unknown;
  readonly item?: Partial<shard.WriteItem>;
}

const OPS = { index: 0, create: 1, update: 2, delete: 3 } as const;

/** A bulk request of writes. */
export function bulkOf(writes: readonly TestWrite[], refresh = 0): shard.BulkShardRequest {
  const sources: Uint8Array[] = [];
  let length = 0;
  const items = writes.map((write): shard.WriteItem => {
    const bytes =
      write.source === undefined
        ? new Uint8Array(0)
        : Buffer.from(typeof write.source === 'string' ? write.source : JSON.stringify(write.source));
    sources.push(bytes);
    const sourceStart = length;
    length += bytes.length;
    return {
      op: OPS[write.op],
      id: write.id,
      sourceStart,
      sourceEnd: length,
      versionType: 0,
      autoId: false,
      retryOnConflict: 0,
      ...write.item,
    };
  });
  return { shard: { indexUuid: 'uuid', shard: 0 }, indexName: 'test', refresh, sources: Buffer.concat(sources), items };
}

/** A shard over fake doors with a master that accepts every mapping update. */
export interface TestShard {
  readonly shard: Shard;
  readonly clock: FakeClock;
  readonly master: MappingMaster;
  readonly mappingUpdates: Record<string, unknown>[];
  readonly stores: KeyValueStores;
  readonly files: Files;
  /** Errors that ended the shard. */
  readonly failures: ApiError[];
  write(writes: readonly TestWrite[], refresh?: number): Promise<shard.WriteResult[]>;
  get(id: string, realtime?: boolean): Promise<shard.GetResult>;
  /** Ids and sources of all live documents that a search sees, by id. */
  visible(): Map<string, unknown>;
  /** Opens the same copy again; without `close` as after a crash. */
  reopen(how: 'close' | 'crash'): Promise<TestShard>;
}

/** Options of opening a shard for tests; a member that is absent has a default in memory. */
export interface TestOptions {
  readonly mapping?: Record<string, unknown>;
  readonly settings?: Readonly<Record<string, string>>;
  readonly stores?: KeyValueStores;
  readonly files?: Files;
  readonly bufferBytesMax?: number;
  readonly path?: string;
  readonly mergeRunner?: MergeRunner;
  readonly graphs?: OpenShardOptions['graphs'];
  readonly isAlone?: boolean;
  readonly mounted?: OpenShardOptions['mounted'];
  readonly otherHandles?: OpenShardOptions['otherHandles'];
}

function metadataOf(mapping: Record<string, unknown>, settings: Readonly<Record<string, string>>): ShardMetadata {
  const options = { ...mappingOptions(settings, buildAnalysisRegistry({})), checkScript: () => {} };
  return {
    metadata: { name: 'test', uuid: 'uuid', settings },
    mapping: parseMapping(mapping, options),
    mappingOptions: options,
  };
}

function visibleIn(opened: Shard): Map<string, unknown> {
  const lease = opened.acquire();
  const found = new Map<string, unknown>();
  for (const { reader, live, docBase, maxDoc } of lease.searcher.segments) {
    for (let doc = 0; doc < maxDoc; doc++) {
      if ((live !== null && !live.get(doc)) || (reader.roots !== null && !reader.roots.get(doc))) continue;
      const stored = lease.searcher.stored(docBase + doc);
      if (found.has(stored.id)) throw new Error(`two live documents of [${stored.id}]`);
      found.set(stored.id, JSON.parse(Buffer.from(stored.source).toString()));
    }
  }
  if (found.size !== lease.searcher.liveDocCount)
    throw new Error(`${found.size} documents, counted ${lease.searcher.liveDocCount}`);
  lease.release();
  return found;
}

const EVERYTHING = { gte: Uint8Array.of(0), lt: Uint8Array.of(0xff) };

/**
 * Returns stores with what a killed process leaves behind; the shard continues in its own store. The witness is never
 * newer than the store.
 */
export async function copyOfShard(
  stores: KeyValueStores,
  files: Files,
): Promise<{ stores: KeyValueStores; files: Files }> {
  const copy = { stores: memoryStores(), files: memoryFiles() };
  await copy.files.replace('shard/witness', (await files.read('shard/witness'))!);
  const entries: (readonly [Uint8Array, Uint8Array])[] = [];
  for await (const entry of (await stores.open('shard/db')).entries(EVERYTHING)) entries.push(entry);
  const into = await copy.stores.open('shard/db');
  await into.batch(
    entries.map(([key, value]) => ({ type: 'put', key, value }) as const),
    { sync: true },
  );
  return copy;
}

/** Opens a shard for tests. */
export async function openTestShard(options: TestOptions = {}): Promise<TestShard> {
  const stores = options.stores ?? memoryStores();
  const files = options.files ?? memoryFiles();
  const clock = fakeClock();
  const settings = options.settings ?? {};
  let metadata = metadataOf(options.mapping ?? {}, settings);
  const openOptions: OpenShardOptions = {
    shard: 0,
    primaryTerm: 1,
    metadata,
    path: options.path ?? 'shard',
    stores,
    files,
    clock,
    random: seededRandom(5),
    log: silentLog,
    blockCache: createBlockCache(1 << 22),
    bufferBytesMax: options.bufferBytesMax ?? 1 << 24,
    cacheBudgets: createCacheBudgets(1 << 20, 1 << 20),
    ...(options.mergeRunner ? { mergeRunner: options.mergeRunner } : {}),
    mounted: options.mounted,
    ...(options.graphs ? { graphs: options.graphs } : {}),
    ...(options.otherHandles ? { otherHandles: options.otherHandles } : {}),
    isAlone: options.isAlone ?? true,
  };
  const failures: ApiError[] = [];
  const opened = await openShard({ ...openOptions, onFailure: (error) => failures.push(error) });
  const mappingUpdates: Record<string, unknown>[] = [];
  const master: MappingMaster = {
    async updateMapping(update) {
      mappingUpdates.push(structuredClone(update));
      metadata = { ...metadata, mapping: mergeMappings(metadata.mapping, update, metadata.mappingOptions, 'dynamic') };
      opened.applyMetadata(metadata);
    },
  };
  const test: TestShard = {
    shard: opened,
    clock,
    master,
    mappingUpdates,
    stores,
    files,
    failures,
    write: async (writes, refresh) => (await opened.bulk(bulkOf(writes, refresh), master)).items,
    async get(id, realtime = true) {
      const request = {
        shard: { indexUuid: 'uuid', shard: 0 },
        indexName: 'test',
        realtime,
        refresh: false,
        items: [{ id, versionType: 0 }],
      };
      return (await opened.get(request)).items[0]!;
    },
    visible: () => visibleIn(opened),
    async reopen(how) {
      if (how === 'close') await opened.close();
      const left = how === 'close' ? { stores, files } : await copyOfShard(stores, files);
      return openTestShard({ ...options, ...left, mapping: metadata.mapping.toJson() });
    },
  };
  return test;
}
