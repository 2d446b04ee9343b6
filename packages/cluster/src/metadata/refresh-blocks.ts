import { type ClusterBlock, type ClusterState, type IndexMetadata, isTrue } from '@shoal/state';

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
      levels: ['write'],
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
