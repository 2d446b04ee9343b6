import type { Value } from '@shoal/codec';
import { errors, isApiError } from '@shoal/errors';
import { readSource, stringify, type JsonObject } from '@shoal/json';
import type { Collapse } from '@shoal/query';
import { encodeUtf8 } from '../../json-bytes.js';
import type { MergedHit } from '../query-phase/merge-hits.js';
import type { RunningSearch } from '../running-search.js';
import { type SearchAnswer, hitsObject } from '../search-answer.js';
import type { SearchRequest } from '../parse/search-request.js';

type Run = (request: SearchRequest) => Promise<SearchAnswer>;

/** Default `size` of inner hits. */
const INNER_SIZE_DEFAULT = 3;
/** Limit for concurrent searches of groups. */
const CONCURRENT_GROUPS = 4;

function groupFilter(field: string, value: Value): JsonObject {
  if (value === null || value === undefined) return { bool: { must_not: [{ exists: { field } }] } };
  // 8.12 looks for the group by `match`: analysed, a value of several words finds nothing.
  return { match: { [field]: { query: value } } };
}

/** Returns the point in time of the whole search, which the search of a group uses too. */
const pointInTime = ({ pit }: JsonObject): JsonObject => (pit === undefined ? {} : { pit });

function innerBody(original: JsonObject, field: string, value: Value, spec: JsonObject): JsonObject {
  const { name: _name, collapse, ...rest } = spec;
  const filter = [
    groupFilter(field, value),
    ...(original['post_filter'] === undefined ? [] : [original['post_filter']]),
  ];
  const must = original['query'] === undefined ? [] : [original['query']];
  return {
    size: INNER_SIZE_DEFAULT,
    ...rest,
    ...pointInTime(original),
    ...(collapse === undefined ? {} : { collapse }),
    query: { bool: { must, filter } },
  };
}

function innerRequest(search: RunningSearch, body: JsonObject): SearchRequest {
  const { request, plan } = search;
  // A search with `knn` is a global one, and so are those of its groups, which have no `knn` of their own.
  const searchType = plan.knn.length > 0 ? 'dfs_query_then_fetch' : request.searchType;
  return { ...request, searchType, body: encodeUtf8(stringify(body)), overrides: {} };
}

/** Inserts a member before the closing brace of a rendered hit. */
function addMember(hit: Uint8Array, member: Uint8Array): Uint8Array {
  return Buffer.concat([hit.subarray(0, hit.length - 1), encodeUtf8(',"inner_hits":'), member, encodeUtf8('}')]);
}

const INNER_HITS = '"inner_hits":{';

/**
 * Adds the hits of groups to a rendered hit. Those of its nested objects stay beside them; of two with the same name
 * the group's is shown, as in 8.12.
 */
function withGroups(hit: Uint8Array, groups: Uint8Array): Uint8Array {
  if (Buffer.from(hit.buffer, hit.byteOffset, hit.length).includes(INNER_HITS)) {
    const { inner_hits: own, ...rest } = readSource(hit);
    if (own !== undefined)
      return encodeUtf8(stringify({ ...rest, inner_hits: { ...(own as JsonObject), ...readSource(groups) } }));
  }
  return addMember(hit, groups);
}

/** Throws the error of a whole search whose groups could not be searched. */
function failExpanding(error: unknown): never {
  if (!isApiError(error) || error.type !== 'search_phase_execution_exception') throw error;
  throw errors.searchPhaseExecution('failed to expand hits', {
    status: error.status,
    meta: { phase: 'expand', grouped: true, failed_shards: [] },
    rootCauses: [],
    cause: error,
  });
}

async function expand(
  hit: Uint8Array,
  value: Value,
  original: JsonObject,
  { field, innerHits }: Collapse,
  search: RunningSearch,
  run: Run,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for (const spec of innerHits) {
    const answer = await run(innerRequest(search, innerBody(original, field, value, spec))).catch(failExpanding);
    parts.push(
      encodeUtf8(`${parts.length === 0 ? '{' : ','}${JSON.stringify(spec['name'])}:{"hits":`),
      hitsObject(answer),
      encodeUtf8('}'),
    );
  }
  return withGroups(hit, Buffer.concat([...parts, encodeUtf8('}')]));
}

/** Adds `inner_hits` to the hits of a collapsed search, with one search for each group and definition. */
export async function withInnerHits(
  hits: readonly Uint8Array[],
  merged: readonly MergedHit[],
  collapse: Collapse,
  search: RunningSearch,
  run: Run,
): Promise<Uint8Array[]> {
  const { json } = search.plan;
  const expanded: Uint8Array[] = [];
  for (let start = 0; start < hits.length; start += CONCURRENT_GROUPS) {
    const group = hits.slice(start, start + CONCURRENT_GROUPS);
    expanded.push(
      ...(await Promise.all(
        group.map((hit, i) => {
          const winner = merged[start + i]!;
          return expand(hit, winner.hits.collapseValues?.[winner.at] ?? null, json, collapse, search, run);
        }),
      )),
    );
  }
  return expanded;
}
