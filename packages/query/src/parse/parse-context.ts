import type { StoredScripts } from '@shoal/script';
import type { ParseContext } from '../parsed-query.js';

/** Limit on the depth of inner queries: the default of `indices.query.bool.max_nested_depth`. */
const NESTED_DEPTH_MAX = 30;

/**
 * Returns the inputs of parsing. `allowExpensiveQueries` is `search.allow_expensive_queries` of the cluster; it is true
 * for queries that were accepted before, such as those of aliases and roles. `storedScripts` are those that a request
 * may name.
 */
export function parseContext(allowExpensiveQueries = true, storedScripts?: StoredScripts): ParseContext {
  return { maxNestedDepth: NESTED_DEPTH_MAX, allowExpensiveQueries, storedScripts };
}
