import { type ApiError, errors } from '@shoal/errors';
import { tokenName } from '../../token-names.js';

/** Which JSON tokens may follow a key: a value, an object, an array. */
const VALUE = 1;
const OBJECT = 2;
const ARRAY = 4;

const KEYS: ReadonlyMap<string, number> = new Map([
  ['from', VALUE],
  ['size', VALUE],
  ['timeout', VALUE],
  ['terminate_after', VALUE],
  ['min_score', VALUE],
  ['version', VALUE],
  ['seq_no_primary_term', VALUE],
  ['explain', VALUE],
  ['track_scores', VALUE],
  ['include_named_queries_score', VALUE],
  ['track_total_hits', VALUE],
  ['profile', VALUE],
  ['_source', VALUE | OBJECT | ARRAY],
  ['stored_fields', VALUE | ARRAY],
  ['sort', VALUE | OBJECT | ARRAY],
  ['query', OBJECT],
  ['post_filter', OBJECT],
  ['knn', OBJECT | ARRAY],
  ['rank', OBJECT],
  ['script_fields', OBJECT],
  ['aggs', OBJECT],
  ['aggregations', OBJECT],
  ['highlight', OBJECT],
  ['suggest', OBJECT],
  ['rescore', OBJECT | ARRAY],
  ['ext', OBJECT],
  ['slice', OBJECT],
  ['collapse', OBJECT],
  ['pit', OBJECT],
  ['runtime_mappings', OBJECT],
  ['docvalue_fields', ARRAY],
  ['fields', ARRAY],
  ['indices_boost', ARRAY],
  ['stats', ARRAY],
  ['search_after', ARRAY],
]);

function kindOf(value: unknown): number {
  if (value === null || value === undefined) return 0;
  if (typeof value !== 'object') return VALUE;
  return Array.isArray(value) ? ARRAY : OBJECT;
}

function unknownKey(body: object, key: string, value: unknown): ApiError {
  return errors.parsing(`Unknown key for a ${tokenName(value)} in [${key}].`, { location: { container: body, key } });
}

/**
 * Parts of a body that would change its hits and are not offered; empty ones, as clients send them, ask for nothing.
 */
const UNSUPPORTED = ['knn', 'rank', 'runtime_mappings', 'ext'];

/** Refuses keys that a search body does not have, or has in another shape, and those that are not supported. */
export function checkSearchKeys(body: Readonly<Record<string, unknown>>): void {
  for (const key in body) {
    const value = body[key];
    if (((KEYS.get(key) ?? 0) & kindOf(value)) === 0) throw unknownKey(body, key, value);
    if (UNSUPPORTED.includes(key) && Object.keys(value as object).length > 0)
      throw errors.illegalArgument(`[${key}] is not supported`);
  }
}
