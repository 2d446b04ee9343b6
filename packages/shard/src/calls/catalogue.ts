import { executeScript } from './execute-script.js';
import { exportDocuments } from './export-documents.js';
import { snapshotShard } from './snapshot.js';
import { parseLimits } from '../read/restrict-lease.js';
import { enumerateTerms, type TermsEnumRequest } from '../read/terms-enum.js';
import type { ForceMergeRequest, Shard } from '../shard-api.js';
import { explain, filterMatches, statistics, termStatistics, validate } from './query-calls.js';

/**
 * Handler of one small call, whose result is sent as JSON. `access` has the security limits of callers that read
 * documents; `signal` aborts when the caller has given up.
 */
export type ShardCallHandler = (
  shard: Shard,
  body: unknown,
  access?: Uint8Array,
  signal?: AbortSignal,
) => Promise<unknown>;

async function refresh(shard: Shard): Promise<unknown> {
  shard.refresh();
  return {};
}

/** Answers once no write runs that was sent before. */
async function awaitWrites(shard: Shard): Promise<unknown> {
  await shard.log.drained();
  return {};
}

async function flush(shard: Shard): Promise<unknown> {
  await shard.flush();
  return {};
}

async function diskUsage(shard: Shard, body: unknown): Promise<unknown> {
  if ((body as { flush?: boolean }).flush) await shard.flush();
  return shard.diskUsage();
}

async function forceMerge(shard: Shard, body: unknown): Promise<unknown> {
  const {
    maxNumSegments = null,
    onlyExpungeDeletes = false,
    flush: flushes = true,
  } = (body ?? {}) as Partial<ForceMergeRequest>;
  await shard.forceMerge({ maxNumSegments, onlyExpungeDeletes, flush: flushes });
  return {};
}

async function clearCache(shard: Shard): Promise<unknown> {
  shard.clearCaches();
  return {};
}

/** Drops the files of a mounted copy that no request needs. */
async function clearMounted(shard: Shard): Promise<unknown> {
  shard.clearCaches();
  shard.mounted?.clear();
  return {};
}

async function termsEnum(shard: Shard, body: unknown, access?: Uint8Array): Promise<unknown> {
  const lease = shard.acquire();
  try {
    return enumerateTerms(lease.searcher, body as TermsEnumRequest, parseLimits(access));
  } finally {
    lease.release();
  }
}

/** Actions of `shard/call` by name. */
export const shardCalls: Readonly<Record<string, ShardCallHandler>> = {
  execute_script: executeScript,
  refresh,
  flush,
  await_writes: awaitWrites,
  force_merge: forceMerge,
  clear_cache: clearCache,
  clear_mounted: clearMounted,
  mounted_stats: async (shard) => shard.mounted?.stats() ?? null,
  stats: (shard) => shard.stats(),
  segments: async (shard) => shard.segmentsInfo(),
  disk_usage: diskUsage,
  field_usage_stats: async (shard) => shard.fieldUsageStats(),
  terms_enum: termsEnum,
  export_documents: exportDocuments,
  snapshot: snapshotShard,
  explain,
  validate,
  statistics,
  filter_matches: filterMatches,
  term_statistics: termStatistics,
};
