import { errors, isApiError } from '@shoal/errors';
import { skipValue, stringify } from '@shoal/json';
import { type FieldLookup, type HitLookups, takeLookups } from '@shoal/query';
import { encodeUtf8 } from '../../json-bytes.js';
import type { SearchRequest } from '../parse/search-request.js';
import { wholeSearch } from '../parse/whole-search.js';
import type { SearchAnswer } from '../search-answer.js';

/** Limit for concurrent searches of documents. */
const CONCURRENT_LOOKUPS = 4;

type Run = (request: SearchRequest) => Promise<SearchAnswer>;

/** Makes the search that finds the document with a value. Indices are those that the caller may search. */
function lookupRequest({ source }: FieldLookup, value: string): SearchRequest {
  const body = {
    size: 1,
    _source: false,
    query: { term: { [source.targetField]: { value } } },
    fields: source.fetchFields,
  };
  const request = wholeSearch([source.targetIndex], encodeUtf8(stringify(body)));
  return { ...request, allowPartialResults: null, requestCache: null, isLookup: true };
}

const FIELDS = Buffer.from(',"fields":');

/** Returns the object of the fields of a hit, as it is written; null without fields. */
function fieldsObject(hit: Uint8Array): Uint8Array | null {
  const bytes = Buffer.from(hit.buffer, hit.byteOffset, hit.length);
  const at = bytes.indexOf(FIELDS);
  return at < 0 ? null : bytes.subarray(at + FIELDS.length, skipValue(bytes, at + FIELDS.length));
}

/** What is found for a value of a field. */
const keyOf = ({ source }: FieldLookup, value: string): string =>
  JSON.stringify([source.targetIndex, source.targetField, source.fetchFields, value]);

/** Finds the documents that hits need, each once. */
async function findAll(needed: readonly FieldLookup[], run: Run): Promise<ReadonlyMap<string, Uint8Array | null>> {
  const requests = new Map(
    needed.flatMap((lookup) =>
      lookup.values.map((value) => [keyOf(lookup, value), () => lookupRequest(lookup, value)] as const),
    ),
  );
  const found = new Map<string, Uint8Array | null>();
  const waiting = requests.entries();
  const work = async (): Promise<void> => {
    for (const [key, request] of waiting) {
      const [hit] = (await run(request())).hits;
      found.set(key, hit === undefined ? null : fieldsObject(hit));
    }
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENT_LOOKUPS, requests.size) }, work));
  return found;
}

/** Inserts what was found into a hit. */
function inserted(
  hit: Uint8Array,
  { fromEnd, hasFields, lookups }: HitLookups,
  found: ReadonlyMap<string, Uint8Array | null>,
): Uint8Array {
  const parts = lookups.flatMap((lookup) => {
    const objects = lookup.values.flatMap((value) => found.get(keyOf(lookup, value)) ?? []);
    if (objects.length === 0) return [];
    const listed = objects.flatMap((object, i) => (i === 0 ? [object] : [Buffer.from(','), object]));
    return [Buffer.concat([Buffer.from(`${JSON.stringify(lookup.field)}:[`), ...listed, Buffer.from(']')])];
  });
  if (parts.length === 0) return hit;
  const members = parts.flatMap((part, i) => (i === 0 && !hasFields ? [part] : [Buffer.from(','), part]));
  const [head, tail] = hasFields ? ['', ''] : [',"fields":{', '}'];
  const at = hit.length - fromEnd;
  return Buffer.concat([hit.subarray(0, at), Buffer.from(head), ...members, Buffer.from(tail), hit.subarray(at)]);
}

/** Throws the error of a whole search whose `lookup` fields could not be read. */
function failLookups(error: unknown): never {
  if (!isApiError(error)) throw error;
  throw errors.searchPhaseExecution('failed to fetch lookup fields', {
    status: error.status,
    meta: { phase: 'fetch_lookup_fields', grouped: true, failed_shards: [] },
    rootCauses: [],
    cause: error,
  });
}

/**
 * Returns hits with the values of their `lookup` fields: those of the first document that a search with the rights of
 * the caller finds for each value of the input field. `isAllowed` tells whether the cluster allows expensive queries.
 */
export async function withLookupFields(
  hits: readonly Uint8Array[],
  isAllowed: () => boolean,
  run: Run,
): Promise<readonly Uint8Array[]> {
  const taken = hits.map(takeLookups);
  const needed = taken.flatMap((one) => one?.lookups.lookups ?? []);
  if (needed.length === 0) return hits;
  if (!isAllowed())
    throw errors.exception(
      `cannot be executed against lookup field [${needed[0]!.field}] while ` +
        '[search.allow_expensive_queries] is set to [false].',
      { status: 400 },
    );
  const found = await findAll(needed, run).catch(failLookups);
  return taken.map((one, i) => (one === null ? hits[i]! : inserted(one.hit, one.lookups, found)));
}
