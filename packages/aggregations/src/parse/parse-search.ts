import { type ParseContext, type ParsedSearch, parseSearch } from '@shoal/query';
import type { AggregationTree } from '../aggregation-type.js';
import { parseAggregations } from './parse-tree.js';

/** A search body after parsing, with its aggregations. */
export type Search = ParsedSearch<AggregationTree>;

/** Parses the body of a search whose keys were checked (`checkSearchKeys`). Throws what is wrong with it. */
export function parseSearchBody(json: Readonly<Record<string, unknown>>, context: ParseContext): Search {
  return parseSearch(json, { ...context, parseAggregations });
}
