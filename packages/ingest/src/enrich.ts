import type { JsonObject } from '@shoal/json';

/** How an enrich policy finds documents: by equal values, or by ranges that contain a value. */
export type EnrichKind = 'match' | 'range';

/** The documents of an enrich policy, as of its last execution. */
export interface EnrichSource {
  /** Returns the first `max` documents that fit a value, or one of a list; not to be changed. */
  find(value: unknown, max: number): readonly JsonObject[] | Promise<readonly JsonObject[]>;
}

/** Finds the documents of enrich policies. */
export interface EnrichSources {
  /** Returns the source of a policy; null if it was never executed. */
  get(policy: string): EnrichSource | null;
}

/** For nodes that know no policies. */
export const NO_ENRICH_SOURCES: EnrichSources = { get: () => null };
