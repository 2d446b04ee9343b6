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
 * A search body after parsing: the value of each section, and what follows from several of them. Nothing of it depends
 * on an index or on the moment, and nothing changes it, so that one may be kept and run many times, on many shards.
 * Whether the answer depends on the time is not among it: that shows when a shard plans the search, by its mapping.
 */
export interface ParsedSearch<A extends ParsedAggregations = ParsedAggregations>
  extends Omit<SectionValues, 'aggregations'>,
    SearchEffects {
  readonly aggregations: A | null;
  /** The body itself, for searches that are made from it: those of inner hits, of statistics. */
  readonly json: JsonObject;
  /**
   * What shards order hits by and answer values of; empty when hits are ordered by score and nothing asks for values.
   * Ends with a tie breaker over a point in time.
   */
  readonly hitSort: readonly SortSpec[];
  /** What hits of several shards are merged by; null: their scores. */
  readonly orders: readonly SortSpec[] | null;
  /** Hits up to which shards count; Infinity: all, 0: none. */
  readonly totalHitsMax: number;
  /** What a hit shows of its document. */
  readonly fetch: FetchSpec;
}

/**
 * A message with a search body. One that is handed over on its thread, without bytes, brings what the body was parsed
 * to; one that was bytes does not, and is parsed where it arrives.
 */
export type WithSearch<Message, A extends ParsedAggregations> = Message & { readonly search?: ParsedSearch<A> };
