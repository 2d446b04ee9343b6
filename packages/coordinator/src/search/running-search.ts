import type { Predictor } from '@shoal/ingest';
import type { SearchPlan } from './parse/search-plan.js';
import type { SearchRequest } from './parse/search-request.js';
import type { TargetShard } from './targets/search-targets.js';

/** A running search: what its phases share. */
export interface RunningSearch {
  readonly request: SearchRequest;
  readonly plan: SearchPlan;
  /** Plan for the shards: the plan of the search, with the part of a slice that applies within each shard. */
  readonly shardPlan: SearchPlan;
  readonly targets: readonly TargetShard[];
  /** Trained models that aggregations name. */
  readonly models: ReadonlyMap<string, Predictor>;
  readonly startedMs: number;
  readonly signal: AbortSignal;
  /** Task of the search, the parent of its messages; undefined for none. */
  readonly taskId: string | undefined;
}
