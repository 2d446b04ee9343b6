import type { ParsedQuery } from '../parsed-query.js';
import type { ScriptedField } from '../runtime/scripted-fields.js';
import type { SearchScript } from '../scripts/segment-script.js';

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
  /** What to do about points beyond the poles: `STRICT` refuses them on the shard, `COERCE` wraps them around. */
  readonly validation: string;
  readonly ignoreUnmapped: boolean;
  readonly nested: NestedSort | null;
}

/** A sort by the numbers or texts that a script makes (`_script`). */
export interface ScriptSort {
  readonly kind: 'script';
  readonly script: SearchScript;
  readonly order: SortOrder;
  /** What several nested objects are sorted by; null: by the least, in descending order by the greatest. */
  readonly mode: SortMode | null;
  /** Nested objects for which the script runs; null: for the document itself. */
  readonly nested: NestedSort | null;
  /** The texts; null for numbers. */
  readonly terms: ScriptedField | null;
}

/** Returns the fields that scripts of a sort make. */
export function scriptedTerms(specs: readonly SortSpec[]): ScriptedField[] {
  return specs.flatMap((spec) => (spec.kind === 'script' && spec.terms !== null ? [spec.terms] : []));
}

/** One criterion of a sort. */
export type SortSpec =
  | FieldSort
  | GeoDistanceSort
  | ScriptSort
  | { readonly kind: 'score'; readonly order: SortOrder }
  /** Order by document number, within a shard (`_doc`) or over shards (`_shard_doc`). */
  | { readonly kind: 'doc'; readonly order: SortOrder; readonly acrossShards: boolean };

/** Returns whether a sort is the default order by score, which adds no `sort` values to hits. */
export function isByScore(specs: readonly SortSpec[]): boolean {
  return specs.length === 0 || (specs.length === 1 && specs[0]!.kind === 'score' && specs[0]!.order === 'desc');
}
