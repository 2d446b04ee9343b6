import type { ParseContext } from '../parsed-query.js';

/** Queries within each other that a search may have: the default of `indices.query.bool.max_nested_depth`. */
const NESTED_DEPTH_MAX = 30;

/**
 * What parsing looks at. `allowExpensiveQueries` is `search.allow_expensive_queries` of the cluster; true for queries
 * that were accepted before, such as those of aliases and roles.
 */
export function parseContext(allowExpensiveQueries = true): ParseContext {
  return { maxNestedDepth: NESTED_DEPTH_MAX, allowExpensiveQueries };
}
