import { checkInBodyOrder, type ParseContext, type ParsedSearch, parseSearch } from '@shoal/query';
import type { AggregationTree } from '../aggregation-type.js';
import { parseAggregations } from './parse-tree.js';

/** A search body after parsing, with its aggregations. */
export type Search = ParsedSearch<AggregationTree>;

/** Parses a search body whose keys `checkSearchKeys` has accepted. Throws the error of the first wrong value. */
export function parseSearchBody(json: Readonly<Record<string, unknown>>, context: ParseContext): Search {
  return parseSearch(json, { ...context, parseAggregations });
}

/** Throws the first error of a search body in the order of its keys, unknown ones included. */
export function checkBodyInOrder(json: Readonly<Record<string, unknown>>, context: ParseContext): void {
  checkInBodyOrder(json, { ...context, parseAggregations });
}
