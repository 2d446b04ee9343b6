import { isPlainObject, type JsonObject, tokenOf } from '@shoal/json';
import { errors } from '@shoal/errors';
import { parseFetchSpec } from './fetch-spec.js';

const KEYS = [
  'name',
  'ignore_unmapped',
  'from',
  'size',
  'explain',
  'version',
  'seq_no_primary_term',
  'track_scores',
  'stored_fields',
  'fields',
  'docvalue_fields',
  'script_fields',
  '_source',
  'sort',
  'highlight',
  'collapse',
];

/** Checks the keys of an `inner_hits` body and returns the body. */
export function parseInnerHits(value: unknown, container: object): JsonObject {
  if (!isPlainObject(value)) {
    throw errors.xContentParse(`[inner_hits] Expected START_OBJECT but was: ${tokenOf(value)}`, {
      location: { container, key: 'inner_hits' },
    });
  }
  for (const key of Object.keys(value)) {
    if (!KEYS.includes(key))
      throw errors.xContentParse(`[inner_hits] unknown field [${key}]`, {
        location: { container: value, key, at: 'key' },
      });
  }
  parseFetchSpec(value);
  return value;
}
