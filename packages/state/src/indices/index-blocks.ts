import { type ApiError, errors } from '@shoal/errors';
import { isTrue } from '../settings/index-settings.js';
import type { ClusterBlock, ClusterState, IndexMetadata } from '../state.js';

/** Kind of calls that a block may refuse. */
export type BlockLevel = ClusterBlock['levels'][number];

type BlockKind = Omit<ClusterBlock, 'indexUuid'>;

/** Block of a closed index. */
export const CLOSED_BLOCK: BlockKind = {
  id: 4,
  description: 'index closed',
  retryable: false,
  levels: ['read', 'write'],
};

/** Blocks by the index setting that turns them on. */
const SETTING_BLOCKS: readonly (readonly [setting: string, block: BlockKind])[] = [
  [
    'index.blocks.read_only',
    { id: 5, description: 'index read-only (api)', retryable: false, levels: ['write', 'metadata_write'] },
  ],
  ['index.blocks.read', { id: 7, description: 'index read (api)', retryable: false, levels: ['read'] }],
  ['index.blocks.write', { id: 8, description: 'index write (api)', retryable: false, levels: ['write'] }],
  [
    'index.blocks.metadata',
    { id: 9, description: 'index metadata (api)', retryable: false, levels: ['metadata_write', 'metadata_read'] },
  ],
  [
    'index.blocks.read_only_allow_delete',
    {
      id: 12,
      description: 'disk usage exceeded flood-stage watermark, index has read-only-allow-delete block',
      retryable: false,
      levels: ['write', 'metadata_write'],
    },
  ],
];

const CLUSTER_BLOCKS: readonly (readonly [setting: string, block: BlockKind])[] = [
  [
    'cluster.blocks.read_only',
    { id: 6, description: 'cluster read-only (api)', retryable: false, levels: ['write', 'metadata_write'] },
  ],
  [
    'cluster.blocks.read_only_allow_delete',
    {
      id: 13,
      description: 'cluster read-only / allow delete (api)',
      retryable: false,
      levels: ['write', 'metadata_write'],
    },
  ],
];

/** The blocks that the settings and the open or closed state of an index require. */
export function blocksOf(meta: IndexMetadata): ClusterBlock[] {
  const kinds = SETTING_BLOCKS.filter(([setting]) => isTrue(meta.settings, setting)).map(([, kind]) => kind);
  if (meta.state === 'close') kinds.unshift(CLOSED_BLOCK);
  return kinds.map((kind) => ({ ...kind, indexUuid: meta.uuid }));
}

/** Recomputes the blocks of some indices from their metadata. */
export function refreshBlocks(state: ClusterState, uuids: readonly string[]): ClusterState {
  const touched = new Set(uuids);
  const others = state.blocks.filter((block) => block.indexUuid === null || !touched.has(block.indexUuid));
  const own = uuids.flatMap((uuid) => {
    const meta = state.indices.get(uuid);
    return meta ? blocksOf(meta) : [];
  });
  return own.length === 0 && others.length === state.blocks.length ? state : { ...state, blocks: [...others, ...own] };
}

/** Recomputes the blocks of the whole cluster from its settings. */
export function refreshClusterBlocks(state: ClusterState): ClusterState {
  const value = (name: string): unknown => state.transientSettings[name] ?? state.persistentSettings[name];
  const wanted = CLUSTER_BLOCKS.filter(([setting]) => value(setting) === 'true').map(([, kind]) => ({
    ...kind,
    indexUuid: null,
  }));
  return { ...state, blocks: [...wanted, ...state.blocks.filter((block) => block.indexUuid !== null)] };
}

/**
 * HTTP status of a block by its id, as in Elasticsearch: 1 (no state recovered) and 2 (no master) are 503, 12
 * (read-only / allow delete, set at the flood stage) is 429, all others are 403.
 */
function statusOf({ id }: ClusterBlock): 503 | 429 | 403 {
  if (id === 1 || id === 2) return 503;
  return id === 12 ? 429 : 403;
}

const STATUS_NAMES = { 503: 'SERVICE_UNAVAILABLE', 429: 'TOO_MANY_REQUESTS', 403: 'FORBIDDEN' } as const;

function describe(block: ClusterBlock): string {
  return `${STATUS_NAMES[statusOf(block)]}/${block.id}/${block.description}`;
}

function blockError(prefix: string, blocks: readonly ClusterBlock[], meta: IndexMetadata | null): ApiError {
  const text = blocks
    .map((block) => `${describe(block)};`)
    .join(' ')
    .replaceAll('; ', ', ');
  const statuses = blocks.map(statusOf);
  const status = statuses.includes(503) ? 503 : statuses.every((one) => one === 429) ? 429 : 403;
  return errors.clusterBlock(`${prefix}blocked by: [${text}];`.replace(';];', '];'), {
    status,
    ...(meta ? { meta: { index_uuid: meta.uuid, index: meta.name } } : {}),
  });
}

/** Returns the error of a call with `level` if a block of the index or the cluster forbids it; otherwise null. */
export function indexBlock(state: ClusterState, meta: IndexMetadata, level: BlockLevel): ApiError | null {
  if (state.blocks.length === 0) return null;
  const global = state.blocks.filter((block) => block.indexUuid === null && block.levels.includes(level));
  if (global.length > 0) return blockError('', global, null);
  const own = state.blocks.filter((block) => block.indexUuid === meta.uuid && block.levels.includes(level));
  return own.length > 0 ? blockError(`index [${meta.name}] `, own, meta) : null;
}

/** Throws cluster_block_exception if a block refuses calls with `level` on one of the indices. */
export function checkIndexBlocks(state: ClusterState, metas: readonly IndexMetadata[], level: BlockLevel): void {
  for (const meta of metas) {
    const error = indexBlock(state, meta, level);
    if (error) throw error;
  }
}

/** Throws cluster_block_exception if a block of the cluster refuses calls with `level`. */
export function checkClusterBlocks(state: ClusterState, level: BlockLevel): void {
  const global = state.blocks.filter((block) => block.indexUuid === null && block.levels.includes(level));
  if (global.length > 0) throw blockError('', global, null);
}
