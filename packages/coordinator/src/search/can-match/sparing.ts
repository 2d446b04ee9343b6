import type { ShardAnswer } from '../query-phase/phase-request.js';

/** What is known of a search's shards before they are searched. */
export interface Forecast {
  /** Shards that have no match. */
  readonly skipped: ReadonlySet<number>;
  /** All others in the order to ask them. */
  readonly order: readonly number[];
  /** Bounds of the first sort field by shard; null: unknown. */
  readonly bounds: readonly (Bounds | null)[];
}

/** Bounds of sort values. */
export interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** Tells which shards cannot have a hit among the best any more, as answers come in. */
export interface BottomValue {
  add(answer: ShardAnswer): void;
  /** Whether none of the shard's hits would be shown and its matches need not be counted. */
  isBeyond(target: number): boolean;
}

/** What spares shards of a search over many. */
export interface Sparing {
  readonly forecast: Forecast;
  /** Null: shards that may match are all searched. */
  readonly bottom: BottomValue | null;
}
