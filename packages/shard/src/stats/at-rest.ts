import type { OpenReport, SegmentInfo, Shard, ShardStats } from '../shard-api.js';

/** Statistics of a shard whose store is closed until it is needed: as of the close, with nothing counted since. */
export interface ShardAtRest {
  readonly stats: ShardStats;
  readonly segments: readonly SegmentInfo[];
  readonly report: Pick<OpenReport, 'segments' | 'bytes'>;
}

const answers: Readonly<Record<string, (rest: ShardAtRest) => unknown>> = {
  stats: ({ stats }) => stats,
  segments: ({ segments }) => segments,
  // Everything of the shard is visible and committed, and nothing is in memory.
  refresh: () => ({}),
  flush: () => ({}),
  clear_cache: () => ({}),
};

/** Returns the answer to a call (`Shard.call`) that needs no open shard; undefined if the call needs one. */
export function answerAtRest(rest: ShardAtRest, action: string): unknown {
  return Object.hasOwn(answers, action) ? answers[action]!(rest) : undefined;
}

/** Returns the statistics of a shard that is about to be closed; everything must be committed. */
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
