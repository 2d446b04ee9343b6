import { isPlainObject } from '@shoal/json';
import { errors } from '@shoal/errors';
import type { FieldType } from '@shoal/mapping';
import { geohashBox, geohashEncode, parseGeoPoint } from '@shoal/values';

interface WantedContext {
  /** Value in the form given: a category, a point or a geohash. */
  readonly value: unknown;
  readonly boost: number;
  readonly isPrefix: boolean;
  /** Length of the geohash cells to match; null for the length in the mapping. */
  readonly precision: number | null;
}

/** Contexts that a completion is restricted to, by name of the context. */
export type ContextQuery = ReadonlyMap<string, readonly WantedContext[]>;

/** Parses `contexts` of a completion suggester; null when absent. */
export function parseContextQuery(value: unknown): ContextQuery | null {
  if (!isPlainObject(value)) return null;
  return new Map(
    Object.entries(value).map(([name, given]) => [name, (Array.isArray(given) ? given : [given]).map(parseWanted)]),
  );
}

function parseWanted(value: unknown): WantedContext {
  if (!isPlainObject(value) || value['context'] === undefined)
    return { value, boost: 1, isPrefix: false, precision: null };
  return {
    value: value['context'],
    boost: Number(value['boost'] ?? 1),
    isPrefix: value['prefix'] === true,
    precision: typeof value['precision'] === 'number' ? value['precision'] : null,
  };
}

interface ContextMapping {
  readonly name: string;
  readonly isGeo: boolean;
  readonly precision: number;
}

const DEFAULT_PRECISION = 6;

/** Wanted contexts of an entry by name, and the largest boost among them; 0 if no contexts are wanted. */
export interface MatchedContexts {
  readonly boost: number;
  readonly contexts: Readonly<Record<string, readonly string[]>>;
}

/** Returns which contexts of an entry are wanted; null for an entry without any of them. */
export type ContextFilter = (contexts: unknown) => MatchedContexts | null;

const NO_CONTEXTS: MatchedContexts = { boost: 0, contexts: {} };

/** Binds the wanted contexts to a field. Throws if the field has contexts and the query names none, or has none. */
export function contextFilter(query: ContextQuery | null, type: FieldType): ContextFilter {
  const mappings = contextMappings(type);
  if (mappings.length === 0) {
    if (query && query.size > 0) throw errors.illegalArgument(`suggester [${type.name}] doesn't expect any context`);
    return () => NO_CONTEXTS;
  }
  if (!query || [...query.values()].every((wanted) => wanted.length === 0))
    throw errors.illegalArgument('Missing mandatory contexts in context query');
  const tests = [...query].flatMap(([name, wanted]) => {
    const mapping = mappings.find((context) => context.name === name);
    if (!mapping)
      throw errors.illegalArgument(
        `Unknown context name [${name}], must be one of [${mappings.map((context) => context.name).join(', ')}]`,
      );
    return wanted.map((one) => ({
      name,
      boost: one.boost,
      shown: (own: string) => (mapping.isGeo ? own.slice(0, mapping.precision) : own),
      accepts: mapping.isGeo ? geoTest(one, mapping.precision) : categoryTest(one),
    }));
  });
  return (contexts) => {
    if (!isPlainObject(contexts)) return null;
    const matched: Record<string, string[]> = {};
    let boost = 0;
    for (const test of tests) {
      const own = listOf(contexts[test.name]).filter(test.accepts).map(test.shown);
      if (own.length === 0) continue;
      boost = Math.max(boost, test.boost);
      matched[test.name] = [...new Set([...(matched[test.name] ?? []), ...own])];
    }
    return Object.keys(matched).length === 0 ? null : { boost, contexts: matched };
  };
}

function contextMappings(type: FieldType): ContextMapping[] {
  const given = type.toJson(false)['contexts'];
  return (Array.isArray(given) ? given : []).filter(isPlainObject).map((context) => ({
    name: String(context['name']),
    isGeo: String(context['type']).toUpperCase() === 'GEO',
    precision: Number(context['precision'] ?? DEFAULT_PRECISION),
  }));
}

function listOf(value: unknown): string[] {
  return value === undefined || value === null ? [] : (Array.isArray(value) ? value : [value]).map(String);
}

function categoryTest({ value, isPrefix }: WantedContext): (own: string) => boolean {
  const wanted = String(value);
  return isPrefix ? (own) => own.startsWith(wanted) : (own) => own === wanted;
}

/** Returns a test for entries in the same geohash cell or in a neighbouring one. */
function geoTest({ value, precision }: WantedContext, mapped: number): (own: string) => boolean {
  const length = precision ?? mapped;
  const hashes =
    typeof value === 'string' && !value.includes(',')
      ? [value]
      : parseGeoPoint(value).map(({ lat, lon }) => geohashEncode(lat, lon, length));
  const wanted = hashes.map((hash) => cellOf(hash.slice(0, length)));
  return (own) => {
    const cell = cellOf(own.slice(0, length));
    return wanted.some(({ x, y }) => Math.abs(x - cell.x) <= 1 && Math.abs(y - cell.y) <= 1);
  };
}

/** Returns column and row of a cell in the grid of cells of its size. */
function cellOf(hash: string): { readonly x: number; readonly y: number } {
  const { top, left, bottom, right } = geohashBox(hash);
  return { x: Math.round((left + 180) / (right - left)), y: Math.round((bottom + 90) / (top - bottom)) };
}
