import type { JsonObject } from '@shoal/json';
import type { ApiError } from '@shoal/errors';
import type { ParseContext } from '../parsed-query.js';

/** Kinds of JSON values that a key of a search body may have, as bits. */
export const VALUE = 1;
/** See `VALUE`. */
export const OBJECT = 2;
/** See `VALUE`. */
export const ARRAY = 4;

/**
 * A parsed tree of aggregations, as far as searches need to know it. The room `query` cannot import aggregations:
 * callers supply their parser.
 */
export interface ParsedAggregations {
  readonly needsScores: boolean;
  /** Whether the answer has buckets of documents that do not match, so that no shard may be skipped. */
  readonly needsAllShards: boolean;
}

/** Inputs of parsing a search body. */
export interface SearchContext<A extends ParsedAggregations = ParsedAggregations> extends ParseContext {
  /** Parses the value under `aggs` or `aggregations`; `container` is the object that holds it. */
  parseAggregations(json: unknown, container: JsonObject, context: ParseContext): A;
}

/** Position of a section in the body. */
export interface SectionSite {
  readonly body: JsonObject;
  readonly key: string;
  readonly context: SearchContext;
}

/** Demands of a search on its shards and its fetch phase, from all its sections together. */
export interface SearchEffects {
  /** Whether a shard without a match still adds to the answer, so that no shard may be skipped. */
  readonly needsAllShards: boolean;
  /**
   * Whether matches are used for more than hits. Then a shard must not be skipped because its hits are not among the
   * best.
   */
  readonly gathersMore: boolean;
  /** Whether showing a hit costs more than reading its source: highlighting, inner hits, explanations. */
  readonly isCostlyToShow: boolean;
}

/** One section of a search body. `catalogue.ts` lists the sections for all code that reads a search. */
export interface SearchSection<T> {
  /** The key in the body, and alternative names; the first name present counts. */
  readonly keys: readonly [string, ...string[]];
  /**
   * Kinds of JSON values that the key accepts: `VALUE`, `OBJECT`, `ARRAY`, or a combination. Other kinds are refused by
   * name.
   */
  readonly tokens: number;
  /** Value for a body without the section. */
  readonly absent: T;
  /** Parses the value. Throws Elasticsearch's errors, with their places in the body. */
  parse(value: unknown, site: SectionSite): T;
  /** Returns the demands of a section that is present; without the function there are none. */
  effects?(value: T): Partial<SearchEffects>;
  /** Returns the error of a section that is not supported, before any section is parsed. */
  refuse?(value: object): ApiError | null;
}
