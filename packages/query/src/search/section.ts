import type { JsonObject } from '@shoal/json';
import type { ApiError } from '@shoal/errors';
import type { ParseContext } from '../parsed-query.js';

/** Kinds of JSON values that may follow a key of a search body, as bits. */
export const VALUE = 1;
/** See `VALUE`. */
export const OBJECT = 2;
/** See `VALUE`. */
export const ARRAY = 4;

/** What the search body asks of a tree of aggregations. This room does not know aggregations: their parser is given. */
export interface ParsedAggregations {
  readonly needsScores: boolean;
  /** Whether the answer shows buckets of documents that do not match, so that no shard may be left out. */
  readonly needsAllShards: boolean;
}

/** What parsing a search body takes. */
export interface SearchContext<A extends ParsedAggregations = ParsedAggregations> extends ParseContext {
  /** Parses the value under `aggs` or `aggregations`; `container` is the object that holds it. */
  parseAggregations(json: unknown, container: JsonObject, context: ParseContext): A;
}

/** Where a section stands. */
export interface SectionSite {
  readonly body: JsonObject;
  readonly key: string;
  readonly context: SearchContext;
}

/** What a search asks of its shards and of the way its hits are fetched, from all its sections together. */
export interface SearchEffects {
  /** A shard without a match adds to the answer all the same: none may be left out. */
  readonly needsAllShards: boolean;
  /** More than hits is made of the matches, so that a shard is not spared because its hits are not among the best. */
  readonly gathersMore: boolean;
  /** A hit costs more to show than reading its source: highlighting, inner hits, explanations. */
  readonly isCostlyToShow: boolean;
}

/** One section of a search body. `catalogue.ts` lists them; everything that reads a search takes it from there. */
export interface SearchSection<T> {
  /** The key of the body, and other names of it; the first one that is there counts. */
  readonly keys: readonly [string, ...string[]];
  /** Which JSON values the key takes: `VALUE`, `OBJECT`, `ARRAY`, or several of them. Others are refused by name. */
  readonly tokens: number;
  /** What a body says that lacks the section. */
  readonly absent: T;
  /** Reads the value. Throws the errors of Elasticsearch, with their places in the body. */
  parse(value: unknown, site: SectionSite): T;
  /** What the section asks for when it is there; left out: nothing. */
  effects?(value: T): Partial<SearchEffects>;
  /** Returns the error of a section that is not supported, before any section is parsed. */
  refuse?(value: object): ApiError | null;
}
