import type { IndexMetadata } from '@shoal/state';
import type { BroadcastAnswer } from '@shoal/coordinator';
import { renderCause } from '@shoal/errors';
import type { Services } from '../services.js';
import { type CommonStats, EMPTY_STATS } from './empty-stats.js';
import { sumStats } from './sum-stats.js';

/** Statistics of one shard copy. */
export interface ShardStatsRow {
  readonly indexUuid: string;
  readonly shard: number;
  readonly nodeId: string;
  readonly primary: boolean;
  readonly stats: CommonStats;
  /**
   * Statistics as the shard answered. Besides the sections: `commit`, `seq_no`, `retention_leases`, `shard_path`, and
   * in `search_access` whether the shard is idle.
   */
  readonly raw: Readonly<Record<string, unknown>>;
}

/** `_shards` of a broadcast. */
export function shardsHeader(answer: BroadcastAnswer): Record<string, unknown> {
  const failures = answer.failures.map((failure) => ({
    shard: failure.shard,
    index: failure.index,
    status: 'INTERNAL_SERVER_ERROR',
    reason: renderCause(failure.error),
  }));
  return {
    total: answer.total,
    successful: answer.successful,
    failed: answer.failed,
    ...(failures.length > 0 ? { failures } : {}),
  };
}

/** Options of `broadcastStats`. */
export interface StatsOptions {
  /** Body of the shard request. */
  readonly body?: unknown;
  /** Whether to count segments of closed indices, which are not loaded. */
  readonly unloadedSegments?: boolean;
}

/** Statistics of all copies of some indices, open or closed, ordered by index name and shard. */
export async function broadcastStats(
  services: Services,
  metas: readonly IndexMetadata[],
  { body = {}, unloadedSegments = false }: StatsOptions = {},
): Promise<{ header: Record<string, unknown>; shards: ShardStatsRow[] }> {
  const answer = await services.coordinator.broadcast(metas, 'stats', body);
  const unloaded = new Set(
    unloadedSegments ? [] : metas.flatMap((meta) => (meta.state === 'close' ? [meta.uuid] : [])),
  );
  const shards = answer.shards.map((shard): ShardStatsRow => {
    const told = shard.body as Record<string, unknown>;
    const raw = unloaded.has(shard.indexUuid) ? { ...told, segments: EMPTY_STATS.segments } : told;
    let sum: CommonStats | undefined;
    return {
      indexUuid: shard.indexUuid,
      shard: shard.shard,
      nodeId: shard.nodeId,
      primary: shard.primary,
      // Only some of the callers read it, and it takes as long as all the rest.
      get stats() {
        return (sum ??= withShardCount(sumStats([raw])));
      },
      raw,
    };
  });
  shards.sort((a, b) => a.shard - b.shard || Number(b.primary) - Number(a.primary));
  return { header: shardsHeader(answer), shards };
}

function withShardCount(stats: CommonStats): CommonStats {
  return { ...stats, shard_stats: { total_count: 1 } };
}
