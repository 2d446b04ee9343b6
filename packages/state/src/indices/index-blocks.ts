import { type ApiError, errors } from '@shoal/errors';
import type { ClusterBlock, ClusterState, IndexMetadata } from '../state.js';

/** Kind of calls that a block may refuse. */
type BlockLevel = ClusterBlock['levels'][number];

/**
 * HTTP status of a block by its id, as in Elasticsearch: 1 (no state recovered) and 2 (no master) are 503, 12
 * (read-only / allow delete, set at the flood stage) is 429, all others are 403.
 */
function statusOf({ id }: ClusterBlock): 503 | 429 | 403 {
  if (id === 1 || id === 2) return 503;
  return id === 12 ? 429 : 403;
}

const STATUS_NAMES = { 503: 'SERVICE_UNAVAILABLE', 429: 'TOO_MANY_REQUESTS', 403: 'FORBIDDEN' } as const;

function blockError(prefix: string, blocks: readonly ClusterBlock[]): ApiError {
  const texts = blocks.map((block) => `${STATUS_NAMES[statusOf(block)]}/${block.id}/${block.description}`);
  const statuses = blocks.map(statusOf);
  const status = statuses.includes(503) ? 503 : statuses.every((one) => one === 429) ? 429 : 403;
  return errors.clusterBlock(`${prefix}blocked by: [${texts.join(', ')}];`, { status });
}

/** Returns the error of a call with `level` if a block of the index or the cluster forbids it; otherwise null. */
export function indexBlock(state: ClusterState, meta: IndexMetadata, level: BlockLevel): ApiError | null {
  if (state.blocks.length === 0) return null;
  const global = state.blocks.filter((block) => block.indexUuid === null && block.levels.includes(level));
  if (global.length > 0) return blockError('', global);
  const own = state.blocks.filter((block) => block.indexUuid === meta.uuid && block.levels.includes(level));
  return own.length > 0 ? blockError(`index [${meta.name}] `, own) : null;
}

/** Throws cluster_block_exception if a block refuses calls with `level` on one of the indices. */
export function checkIndexBlocks(state: ClusterState, metas: readonly IndexMetadata[], level: BlockLevel): void {
  const found = metas.map((meta) => indexBlock(state, meta, level)).filter((error) => error !== null);
  const [first] = found;
  if (first === undefined) return;
  const reasons = [...new Set(found.map(({ reason }) => reason))];
  throw reasons.length === 1 ? first : errors.clusterBlock(reasons.join(''), { status: severest(found) });
}

/** The status of several blocks: that of a cluster without a state or master, else 403 unless all are 429. */
function severest(found: readonly ApiError[]): number {
  const statuses = found.map(({ status }) => status);
  return statuses.includes(503) ? 503 : Math.min(...statuses.map((status) => (status === 429 ? 429 : 403)));
}

/** Throws cluster_block_exception if a block of the cluster refuses calls with `level`. */
export function checkClusterBlocks(state: ClusterState, level: BlockLevel): void {
  if (state.blocks.length === 0) return;
  const global = state.blocks.filter((block) => block.indexUuid === null && block.levels.includes(level));
  if (global.length > 0) throw blockError('', global);
}
