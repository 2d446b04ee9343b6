import type { JsonObject } from '@shoal/json';

/** How an enrich policy finds documents: by equal values, by shapes that relate to one, by ranges that contain one. */
export type EnrichKind = 'match' | 'geo_match' | 'range';

/** How shapes relate to that of a document. */
export const SHAPE_RELATIONS = ['INTERSECTS', 'DISJOINT', 'WITHIN', 'CONTAINS'] as const;
export type ShapeRelation = (typeof SHAPE_RELATIONS)[number];

/** The documents of an enrich policy, as of its last execution. */
export interface EnrichSource {
  /**
   * Returns the first `max` documents that fit a value, or one of a list; not to be changed. `relation` counts where
   * shapes are compared. Throws illegal_argument_exception for a value that is no shape then.
   */
  find(value: unknown, max: number, relation: ShapeRelation): readonly JsonObject[] | Promise<readonly JsonObject[]>;
}

/** Finds the documents of enrich policies. */
export interface EnrichSources {
  /** Returns the source of a policy; null if it was never executed. */
  get(policy: string): EnrichSource | null;
}

/** For nodes that know no policies. */
export const NO_ENRICH_SOURCES: EnrichSources = { get: () => null };
