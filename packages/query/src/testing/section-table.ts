import assert from 'node:assert/strict';
import { parseContext } from '../parse/parse-context.js';
import type { ParsedSearch, SectionValues } from '../search/parsed-search.js';
import { checkSearchKeys, parseSearch } from '../search/parse-search.js';
import { errorText } from './memory-index.js';

/**
 * Stands for a tree of aggregations where the room `aggregations` may not be imported: the unparsed body under `aggs`.
 */
export interface PlainAggregations {
  readonly json: unknown;
  readonly needsScores: boolean;
  readonly needsAllShards: boolean;
}

/** Parses a search body; aggregations stay unparsed. An aggregation named `global` needs all shards. */
export function searchOf(body: Readonly<Record<string, unknown>>): ParsedSearch<PlainAggregations> {
  checkSearchKeys(body);
  return parseSearch(body, {
    ...parseContext(),
    parseAggregations: (json) => ({
      json,
      needsScores: false,
      needsAllShards: Object.hasOwn(json as object, 'global'),
    }),
  });
}

/**
 * Checks a table of search bodies with the value that a section parses from each. Also checks a table of bodies that
 * are refused, with `type: reason` of the error and its causes behind ` <- `.
 */
export function sectionTable<Name extends keyof SectionValues>(
  name: Name,
  reads: readonly (readonly [body: Record<string, unknown>, value: SectionValues[Name]])[],
  refuses: readonly (readonly [body: Record<string, unknown>, error: string])[] = [],
): void {
  for (const [body, value] of reads) assert.deepEqual(searchOf(body)[name], value, JSON.stringify(body));
  for (const [body, error] of refuses) {
    let refused = 'accepted';
    try {
      searchOf(body);
    } catch (thrown) {
      refused = errorText(thrown);
    }
    assert.equal(refused, error, JSON.stringify(body));
  }
}
