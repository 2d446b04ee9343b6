import type { StoredScripts } from '@shoal/script';
import type { InnerHitsReaders } from './fetch/parse-inner-hits.js';
import type { Plan } from './plan.js';
import type { PlanSteps } from './plan-steps.js';
import type { Searcher } from './searcher.js';

/**
 * Inputs of parsing a query. They include nothing of any index and not the time, so that parsed queries can be cached.
 */
export interface ParseContext {
  /** `indices.query.bool.max_nested_depth` (30). */
  readonly maxNestedDepth: number;
  readonly allowExpensiveQueries: boolean;
  /** Called for each query with `inner_hits`; absent if the caller does not need to know. */
  readonly onInnerHits?: (() => void) | undefined;
  /** Parsers of the parts of `inner_hits` that hold queries; absent where these parts are read by whom shows hits. */
  readonly innerHits?: InnerHitsReaders | undefined;
  /** Stored scripts that the request may name; absent on shards. */
  readonly storedScripts?: StoredScripts | undefined;
  /** Number of queries around this one; counted by `parseQuery`. */
  readonly depth?: number;
  /** Queries of the outermost query so far; counted by `parseQuery`. */
  readonly count?: { queries: number };
}

/** Inputs of planning: one shard's mapping, settings and searcher. */
export interface PlanContext {
  readonly searcher: Searcher;
  /**
   * Returns the time of the request, UTC milliseconds, the same at each call. Called only where the plan depends on
   * the time. The result of such a request may change later, so the request cache does not keep it (`request-time.ts`
   * of the shard).
   */
  readonly now: () => number;
  /** The innermost nested path that the query is in, or null at the root. */
  readonly nestedPath: string | null;
  /** `search.allow_expensive_queries`; the searcher's settings when absent. */
  readonly allowExpensiveQueries?: boolean;
  /** Filter of the alias through which the shard is searched, for queries that choose among its documents alone. */
  readonly aliasFilter?: ParsedQuery | null;
  /** How many of its best documents each `knn` of the body keeps on this shard; absent: as many as it asks for. */
  readonly nearestKept?: readonly number[] | null;
  /** Collects nested queries with `inner_hits`. */
  readonly innerHits: InnerHitsRequest[];
  /** Plans that the request has made so far; absent where queries are planned at a stretch. */
  readonly steps?: PlanSteps;
}

/** A query on nested objects or on documents of another relation with `inner_hits`; `body` has its options. */
export interface InnerHitsRequest {
  readonly name: string;
  /** Path of the nested objects; null for documents of another relation. */
  readonly path: string | null;
  /** Set for documents of another relation. */
  readonly joined?: JoinedDocuments;
  readonly query: ParsedQuery;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The documents that a hit is joined with. */
export interface JoinedDocuments {
  /** Field with the ids of the parents. */
  readonly field: string;
  /** The `join` field. */
  readonly relationField: string;
  /** Relation of the documents. */
  readonly relation: string;
  readonly of: 'children' | 'parent';
}

/** A query of the DSL after parsing. Stateless; may be planned on many shards. */
export interface ParsedQuery {
  /** Its DSL name: `match`, `bool` … */
  readonly type: string;
  readonly boost: number;
  readonly queryName: string | null;
  /**
   * Returns the plan without `boost` and `_name`, which `planQuery` applies. Inner queries are planned with `planQuery`
   * too.
   */
  plan(context: PlanContext): Plan;
  /**
   * Returns whether Elasticsearch rewrites the query to `match_none` before it makes any plan. A required clause that
   * does so hides the failures of the clauses beside it. Absent: never.
   */
  isNone?(context: PlanContext): boolean;
  /** Whether the query is `match_all`, or rewritten to it. */
  readonly isAll?: boolean;
}

/** Inputs for the parser of one query type. `parseQuery` parses an inner query and counts its depth. */
export interface QueryContext extends ParseContext {
  parseQuery(body: unknown): ParsedQuery;
  /** Parses a query that a document stores. It counts as no query of the request, and takes no limit of its depth. */
  readonly parseStored: (query: unknown) => ParsedQuery;
}

/** One query type of the DSL. `queries/catalogue.ts` lists the types by name. */
export interface QueryType {
  readonly name: string;
  /**
   * Parses the value under the query's name. `container` is the object that holds the value under `name`. Throws
   * parsing_exception and its kin with the place in the body.
   */
  parse(body: unknown, container: object, context: QueryContext): ParsedQuery;
}
