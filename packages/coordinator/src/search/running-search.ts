import type { SearchPlan } from './parse/search-plan.js';
import type { SearchRequest } from './parse/search-request.js';
import type { TargetShard } from './targets/search-targets.js';

/** A search under way: what the phases share. */
export interface RunningSearch {
  readonly request: SearchRequest;
  readonly plan: SearchPlan;
  /** What shards get: the plan, save that a slice is each shard's part of it. */
  readonly shardPlan: SearchPlan;
  readonly targets: readonly TargetShard[];
  readonly startedMs: number;
  readonly signal: AbortSignal;
  /** What its messages are part of. */
  readonly taskId: string | undefined;
}
