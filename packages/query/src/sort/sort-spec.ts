import type { ParsedQuery } from '../parsed-query.js';

/** Order of the sort values. */
export type SortOrder = 'asc' | 'desc';
/** Function that reduces several values of a document to the one that it is sorted by. */
export type SortMode = 'min' | 'max' | 'sum' | 'avg' | 'median';

/** Nested objects from which a sort takes its values. */
export interface NestedSort {
  readonly path: string;
  readonly filter: ParsedQuery | null;
  readonly maxChildren: number | null;
  readonly nested: NestedSort | null;
}

/** A sort by the values of a field; null members are not given. */
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

/** A sort by distance to some points (`_geo_distance`). `plane` measures on a plane instead of a sphere. */
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
