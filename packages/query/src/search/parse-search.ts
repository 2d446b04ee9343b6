import type { JsonObject } from '@shoal/json';
import { type ApiError, errors } from '@shoal/errors';
import { fetchSpecOf } from '../fetch/fetch-spec.js';
import { tokenOf } from '../parse/options.js';
import { isByScore, type SortSpec } from '../sort/sort-spec.js';
import { searchSections } from './catalogue.js';
import type { ParsedSearch, SectionValues } from './parsed-search.js';
import { ARRAY, OBJECT, type ParsedAggregations, type SearchContext, type SearchEffects, VALUE } from './section.js';
import type { SearchSection, SectionSite } from './section.js';
import { withTieBreaker } from './sections/sort.js';
import { totalHitsMax } from './sections/track-total-hits.js';

const SECTIONS = Object.entries(searchSections) as readonly (readonly [string, SearchSection<unknown>])[];

const BY_KEY: ReadonlyMap<string, SearchSection<unknown>> = new Map(
  SECTIONS.flatMap(([, section]) => section.keys.map((key) => [key, section] as const)),
);

/**
 * Refuses keys that a search body does not have, or has with another kind of value, and sections that are not
 * supported, in the order in which they were written.
 */
export function checkSearchKeys(body: JsonObject): void {
  for (const key of Object.keys(body)) {
    const value = body[key];
    const section = BY_KEY.get(key);
    if (section === undefined || (section.tokens & tokensOf(value)) === 0) throw unknownKey(body, key, value);
    const refused = section.refuse?.(value as object) ?? null;
    if (refused !== null) throw refused;
  }
}

function tokensOf(value: unknown): number {
  if (value === null || value === undefined) return 0;
  if (typeof value !== 'object') return VALUE;
  return Array.isArray(value) ? ARRAY : OBJECT;
}

function unknownKey(body: JsonObject, key: string, value: unknown): ApiError {
  return errors.parsing(`Unknown key for a ${tokenOf(value)} in [${key}].`, { location: { container: body, key } });
}

/**
 * Parses the body of a search whose keys were checked (`checkSearchKeys`). Throws the first error in the order of the
 * catalogue, with its place in the body.
 */
export function parseSearch<A extends ParsedAggregations>(json: JsonObject, given: SearchContext<A>): ParsedSearch<A> {
  let hasInnerHits = false;
  const context: SearchContext = { ...given, onInnerHits: () => void (hasInnerHits = true) };
  const effects = { needsAllShards: false, gathersMore: false, isCostlyToShow: false };
  const values: Record<string, unknown> = {};
  for (const [name, section] of SECTIONS) values[name] = valueOf(section, json, context, effects);
  if (hasInnerHits) effects.isCostlyToShow = true;
  return { ...(values as SectionValues as ParsedSearch<A>), ...derived(values as SectionValues), ...effects, json };
}

function valueOf(
  section: SearchSection<unknown>,
  json: JsonObject,
  context: SearchContext,
  effects: { -readonly [K in keyof SearchEffects]: boolean },
): unknown {
  const key = section.keys.find((name) => json[name] !== undefined);
  if (key === undefined) return section.absent;
  const site: SectionSite = { body: json, key, context };
  const value = section.parse(json[key], site);
  const own = section.effects?.(value) ?? {};
  effects.needsAllShards ||= own.needsAllShards === true;
  effects.gathersMore ||= own.gathersMore === true;
  effects.isCostlyToShow ||= own.isCostlyToShow === true;
  return value;
}

/** What follows from several sections together. */
function derived(values: SectionValues): Pick<ParsedSearch, 'hitSort' | 'orders' | 'totalHitsMax' | 'fetch'> {
  const sort = withTieBreaker(values.sort, values.pointInTime !== null);
  return {
    hitSort: isByScore(sort) && values.searchAfter === null ? NO_SORT : sort,
    orders: isByScore(sort) ? null : sort,
    totalHitsMax: totalHitsMax(values.trackTotalHits),
    fetch: shownOf(values),
  };
}

const NO_SORT: readonly SortSpec[] = [];

/** Hits of a collapsed search show the value that groups them. */
function shownOf(values: SectionValues): ParsedSearch['fetch'] {
  const { collapse } = values;
  const spec = fetchSpecOf(values);
  if (collapse === null) return spec;
  const group = { field: collapse.field, format: null, includeUnmapped: false };
  return { ...spec, docvalueFields: [...spec.docvalueFields, group] };
}
