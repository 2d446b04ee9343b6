import type { AggregationTree } from '@shoal/aggregations';
import type { SortSpec } from '@shoal/query';
import type { Slice } from './slices.js';

/** A search after parsing: what the coordinator itself acts on, and the body that goes to shards. */
export interface SearchPlan {
  /** Body for the shards, parameters merged in. */
  readonly body: Uint8Array;
  readonly from: number;
  readonly size: number;
  /** Null: by score. */
  readonly orders: readonly SortSpec[] | null;
  readonly tracksScores: boolean;
  /** True: exact; false: no total; a number: exact up to it. */
  readonly trackTotalHits: boolean | number;
  readonly terminateAfter: number;
  readonly timeoutMs: number | null;
  readonly aggregations: AggregationTree | null;
  readonly collapse: Readonly<Record<string, unknown>> | null;
  readonly hasSuggest: boolean;
  readonly profile: boolean;
  readonly indicesBoost: readonly (readonly [pattern: string, boost: number])[];
  readonly pointInTime: { readonly id: string; readonly keepAliveMs: number | null } | null;
  readonly hasRescore: boolean;
  readonly hasSearchAfter: boolean;
  readonly slice: Slice | null;
  readonly scriptFieldCount: number;
}

/** Totals are collected up to this many hits unless a request says otherwise. */
export const TRACK_TOTAL_HITS_DEFAULT = 10_000;
export const SIZE_DEFAULT = 10;
