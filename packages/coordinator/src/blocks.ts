import type { ClusterBlock, ClusterState, IndexMetadata } from '@shoal/state';
import { type ApiError, errors } from '@shoal/errors';

/** Kind of operations that a block may forbid. */
export type BlockLevel = ClusterBlock['levels'][number];

const STATUS_NAMES: Readonly<Record<number, string>> = {
  403: 'FORBIDDEN',
  429: 'TOO_MANY_REQUESTS',
  503: 'SERVICE_UNAVAILABLE',
};

/**
 * HTTP status of a block by its id, as in Elasticsearch: 503 without a state or a master, 429 for the block of the
 * flood stage, otherwise 403.
 */
function statusOfBlock(block: ClusterBlock): number {
  if (block.id === 1 || block.id === 2) return 503;
  return block.id === 12 ? 429 : 403;
}

function blockError(prefix: string, blocks: readonly ClusterBlock[]): ApiError {
  const described = blocks
    .map((block) => `[${STATUS_NAMES[statusOfBlock(block)]}/${block.id}/${block.description}];`)
    .join('');
  return errors.clusterBlock(`${prefix}blocked by: ${described}`, { status: Math.max(...blocks.map(statusOfBlock)) });
}

/** Returns the error if blocks forbid an operation on an index; otherwise null. */
export function blockOf(state: ClusterState, index: IndexMetadata, level: BlockLevel): ApiError | null {
  if (state.blocks.length === 0) return null;
  const wanted = state.blocks.filter((block) => block.levels.includes(level));
  const global = wanted.filter((block) => block.indexUuid === null);
  if (global.length > 0) return blockError('', global);
  const own = wanted.filter((block) => block.indexUuid === index.uuid);
  return own.length > 0 ? blockError(`index [${index.name}] `, own) : null;
}

/** Throws cluster_block_exception if a block of the cluster forbids operations of a level. */
export function checkGlobalBlocks(state: ClusterState, level: BlockLevel): void {
  if (state.blocks.length === 0) return;
  const blocks = state.blocks.filter((block) => block.indexUuid === null && block.levels.includes(level));
  if (blocks.length > 0) throw blockError('', blocks);
}
