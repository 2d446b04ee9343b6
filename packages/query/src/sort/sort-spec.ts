import type { ParsedQuery } from '../parsed-query.js';

export type SortOrder = 'asc' | 'desc';
export type SortMode = 'min' | 'max' | 'sum' | 'avg' | 'median';

/** Nested objects from which a sort takes its values. */
export interface NestedSort {
  readonly path: string;
  readonly filter: ParsedQuery | null;
  readonly maxChildren: number | null;
  readonly nested: NestedSort | null;
}

export interface FieldSort {
  readonly kind: 'field';
  readonly field: string;
  readonly order: SortOrder;
  /** `_last`, `_first`, or a value that stands for missing ones. */
  readonly missing: unknown;
  readonly mode: SortMode | null;
  readonly unmappedType: string | null;
  readonly numericType: string | null;
  readonly format: string | null;
  readonly nested: NestedSort | null;
}

export interface GeoDistanceSort {
  readonly kind: 'geoDistance';
  readonly field: string;
  readonly points: readonly { readonly lat: number; readonly lon: number }[];
  readonly order: SortOrder;
  /** Metres in one unit of the sort values. */
  readonly unitMeters: number;
  readonly mode: SortMode;
  readonly plane: boolean;
  readonly ignoreUnmapped: boolean;
  readonly nested: NestedSort | null;
}

/** One criterion of a sort. */
export type SortSpec =
  | FieldSort
  | GeoDistanceSort
  | { readonly kind: 'score'; readonly order: SortOrder }
  /** Order by document number, within a shard (`_doc`) or over shards (`_shard_doc`). */
  | { readonly kind: 'doc'; readonly order: SortOrder; readonly acrossShards: boolean };

/** Returns whether a sort is the default order by score, which adds no `sort` values to hits. */
export function isByScore(specs: readonly SortSpec[]): boolean {
  return specs.length === 0 || (specs.length === 1 && specs[0]!.kind === 'score' && specs[0]!.order === 'desc');
}
