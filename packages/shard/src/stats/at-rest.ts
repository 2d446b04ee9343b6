import type { OpenReport, SegmentInfo, Shard, ShardStats } from '../shard-api.js';

/** What is told of a shard whose store is closed until somebody needs it: as of its close, nothing counted since. */
export interface ShardAtRest {
  readonly stats: ShardStats;
  readonly segments: readonly SegmentInfo[];
  readonly report: Pick<OpenReport, 'segments' | 'bytes'>;
}

const answers: Readonly<Record<string, (rest: ShardAtRest) => unknown>> = {
  stats: ({ stats }) => stats,
  segments: ({ segments }) => segments,
  // All that it has is visible and committed, and nothing of it is in memory.
  refresh: () => ({}),
  flush: () => ({}),
  clear_cache: () => ({}),
};

/** The answer to a call (`Shard.call`) that needs no open shard; undefined when it does. */
export function answerAtRest(rest: ShardAtRest, action: string): unknown {
  return Object.hasOwn(answers, action) ? answers[action]!(rest) : undefined;
}

/** Of a shard that is about to be closed, everything of which is committed. */
export async function noteAtRest(shard: Pick<Shard, 'stats' | 'segmentsInfo'>): Promise<ShardAtRest> {
  const stats = await shard.stats();
  const segments = shard.segmentsInfo();
  const bytes = segments.reduce((sum, segment) => sum + segment.size_in_bytes, 0);
  return {
    stats: { ...stats, search: { ...stats['search'], open_contexts: 0 } },
    segments,
    report: { segments: segments.length, bytes },
  };
}
