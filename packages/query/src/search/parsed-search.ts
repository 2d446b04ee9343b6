import type { JsonObject } from '@shoal/json';
import type { FetchSpec } from '../fetch/fetch-spec.js';
import type { SortSpec } from '../sort/sort-spec.js';
import type { searchSections } from './catalogue.js';
import type { ParsedAggregations, SearchEffects, SearchSection } from './section.js';

type Catalogue = typeof searchSections;

/** The value of each section, by its name in the catalogue. */
export type SectionValues = {
  readonly [Name in keyof Catalogue]: Catalogue[Name] extends SearchSection<infer Value> ? Value : never;
};

/**
 * A search body after parsing: the value of each section, and members that depend on several sections. It does not
 * depend on an index or on the time, and is never changed. So one may be cached and run many times on many shards.
 * Whether the answer depends on the time is not known here: a shard finds out when it plans the search with its
 * mapping.
 */
export interface ParsedSearch<A extends ParsedAggregations = ParsedAggregations>
  extends Omit<SectionValues, 'aggregations'>,
    SearchEffects {
  readonly aggregations: A | null;
  /** The body itself, for requests that are derived from it: inner hits, statistics. */
  readonly json: JsonObject;
  /**
   * Sort of hits within a shard, whose values the shard sends; empty when hits are ordered by score and no values are
   * needed. Ends with a tie breaker in a search over a point in time.
   */
  readonly hitSort: readonly SortSpec[];
  /** Sort by which hits of several shards are merged; null: by score. */
  readonly orders: readonly SortSpec[] | null;
  /** Number of hits up to which shards count; Infinity: all, 0: none. */
  readonly totalHitsMax: number;
  /** Fetch options: what a hit shows. */
  readonly fetch: FetchSpec;
}

/**
 * A message with a search body. A message that is passed on its thread, without bytes, has the parsed body too; one
 * that arrives as bytes has none and is parsed there.
 */
export type WithSearch<Message, A extends ParsedAggregations> = Message & { readonly search?: ParsedSearch<A> };
