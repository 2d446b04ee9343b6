import type { ShardAnswer } from '../query-phase/phase-request.js';

/** Results of the can_match phase for all shards of a search. */
export interface CanMatchResults {
  /** Indexes of targets without a match: they are not searched. */
  readonly skipped: ReadonlySet<number>;
  /** Indexes of the other targets in the order in which they are asked. */
  readonly order: readonly number[];
  /** For each target the bounds of the first sort field; null if unknown. */
  readonly bounds: readonly (Bounds | null)[];
}

/** Smallest and largest sort value of a shard. */
export interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** Bottom value of the best hits so far: decides, as answers arrive, which shards cannot have a hit of the page. */
export interface BottomSortValue {
  add(answer: ShardAnswer): void;
  /** Whether a target may be skipped: no hit of it would be on the page, and its matches need not be counted. */
  isBeyond(target: number): boolean;
}

/** Which shards of a large search are skipped. */
export interface ShardSkipping {
  readonly canMatch: CanMatchResults;
  /** Skips further shards as answers arrive; null if all shards that can match are searched. */
  readonly bottomSortValue: BottomSortValue | null;
}
