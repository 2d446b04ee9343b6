import { innerHitsReaders } from './inner-hits-readers.js';
import { type JsonObject, tokenOf } from '@shoal/json';
import { type ApiError, errors, isApiError } from '@shoal/errors';
import { fetchSpecOf } from '../fetch/fetch-spec.js';
import { isByScore, type SortSpec } from '../sort/sort-spec.js';
import { searchSections } from './catalogue.js';
import type { ParsedSearch, SectionValues } from './parsed-search.js';
import { ARRAY, OBJECT, type ParsedAggregations, type SearchContext, type SearchEffects, VALUE } from './section.js';
import type { SearchSection } from './section.js';
import { withNearest } from './sections/knn.js';
import { withTieBreaker } from './sections/sort.js';
import { anyOf } from './sections/sub-searches.js';
import { totalHitsMax } from './sections/track-total-hits.js';

const SECTIONS = Object.entries(searchSections) as readonly (readonly [string, SearchSection<unknown>])[];

const BY_KEY: ReadonlyMap<string, SearchSection<unknown>> = new Map(
  SECTIONS.flatMap(([, section]) => section.keys.map((key) => [key, section] as const)),
);

/**
 * Refuses unknown keys of a search body, keys with a value of the wrong kind, and sections that are not supported, in
 * the order in which they were written.
 */
export function checkSearchKeys(body: JsonObject): void {
  for (const key of Object.keys(body)) checkKey(body, key);
}

function checkKey(body: JsonObject, key: string): void {
  const value = body[key];
  const section = BY_KEY.get(key);
  if (section === undefined || (section.tokens & tokensOf(value)) === 0) throw unknownKey(body, key, value);
  const refused = section.refuse?.(value as object) ?? null;
  if (refused !== null) throw refused;
}

function tokensOf(value: unknown): number {
  if (value === null || value === undefined) return 0;
  if (typeof value !== 'object') return VALUE;
  return Array.isArray(value) ? ARRAY : OBJECT;
}

function unknownKey(body: JsonObject, key: string, value: unknown): ApiError {
  return errors.parsing(`Unknown key for a ${tokenOf(value)} in [${key}].`, { location: { container: body, key } });
}

type Draft = { -readonly [Name in keyof ParsedSearch]: ParsedSearch[Name] };

const NO_SORT: readonly SortSpec[] = [];

const ABSENT = Object.fromEntries(SECTIONS.map(([name, { absent }]) => [name, absent])) as unknown as SectionValues;

/**
 * The parsed search of a body without sections. Other searches start as copies of it, which is cheaper than building
 * each anew.
 */
const EMPTY_SEARCH: ParsedSearch = {
  ...ABSENT,
  needsAllShards: false,
  gathersMore: false,
  isCostlyToShow: false,
  json: {},
  hitSort: NO_SORT,
  orders: null,
  totalHitsMax: totalHitsMax(searchSections.trackTotalHits.absent),
  fetch: fetchSpecOf(ABSENT),
};

/**
 * Parses the body of a search whose keys were checked by `checkSearchKeys`. Throws the first error in the order of the
 * catalogue, with its place in the body.
 */
export function parseSearch<A extends ParsedAggregations>(json: JsonObject, given: SearchContext<A>): ParsedSearch<A> {
  const search: Draft = { ...EMPTY_SEARCH, json };
  const onInnerHits = (): void => void (search.isCostlyToShow = true);
  const context: SearchContext = { ...given, onInnerHits, innerHits: innerHitsReaders(given) };
  try {
    parseSections(search, json, context);
  } catch (error) {
    checkInBodyOrder(json, context);
    throw error;
  }
  derive(search);
  return search as ParsedSearch<A>;
}

function parseSections(search: Draft, json: JsonObject, context: SearchContext): void {
  for (const [name, section] of SECTIONS) {
    const key = presentKey(section.keys, json);
    if (key === null) continue;
    const value = section.parse(json[key], { body: json, key, context });
    (search as Record<string, unknown>)[name] = value;
    if (section.effects !== undefined) addEffects(search, section.effects(value));
  }
}

/**
 * Throws the first error of a body in the order of its keys. Sections are parsed in the order of the catalogue, since
 * some depend on others; of several errors the first in the body is that of Elasticsearch, which reads it once.
 */
export function checkInBodyOrder(json: JsonObject, given: SearchContext): void {
  const context: SearchContext = { ...given, onInnerHits: () => undefined, innerHits: innerHitsReaders(given) };
  let invalid: unknown;
  for (const key of Object.keys(json)) {
    checkKey(json, key);
    try {
      BY_KEY.get(key)!.parse(json[key], { body: json, key, context });
    } catch (error) {
      if (!isValidation(error)) throw error;
      invalid ??= error;
    }
  }
  if (invalid !== undefined) throw invalid;
}

/** Whether an error is one that 8.12 finds only after it has read the whole body. */
const isValidation = (error: unknown): boolean =>
  isApiError(error) && error.type === 'action_request_validation_exception';

function presentKey(keys: readonly string[], json: JsonObject): string | null {
  for (const key of keys) if (json[key] !== undefined) return key;
  return null;
}

function addEffects(search: Draft, effects: Partial<SearchEffects>): void {
  search.needsAllShards ||= effects.needsAllShards === true;
  search.gathersMore ||= effects.gathersMore === true;
  search.isCostlyToShow ||= effects.isCostlyToShow === true;
}

/** Sets the members that depend on several sections. */
function derive(search: Draft): void {
  if (search.subSearches.length > 0) search.query = anyOf(search.subSearches);
  if (search.knn.length > 0) search.query = withNearest(search.query, search.knn);
  const sort = search.pointInTime === null ? search.sort : withTieBreaker(search.sort, search.searchAfter);
  const sortsByScore = isByScore(sort);
  search.hitSort = sortsByScore ? NO_SORT : sort;
  search.orders = sortsByScore ? null : sort;
  search.totalHitsMax = totalHitsMax(search.trackTotalHits);
  search.fetch = shownOf(search);
}

/** Returns the fetch options; hits of a collapsed search also show the value of their group. */
function shownOf(search: ParsedSearch): ParsedSearch['fetch'] {
  const { collapse } = search;
  const spec = fetchSpecOf(search);
  if (collapse === null) return spec;
  const group = { field: collapse.field, format: null, includeUnmapped: false };
  return { ...spec, docvalueFields: [...spec.docvalueFields, group] };
}
