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
  if (value === undefined) return null;
  if (!isPlainObject(value)) throw errors.illegalArgument('contexts must be an object');
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

/**
 * Returns the factor that an entry's contexts apply to its weight; null for an entry that matches no wanted context.
 */
export type ContextFilter = (contexts: unknown) => number | null;

/** Binds the wanted contexts to a field. Throws if the field has contexts and the query names none. */
export function contextFilter(query: ContextQuery | null, type: FieldType): ContextFilter {
  const mappings = contextMappings(type);
  if (mappings.length === 0) return () => 1;
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
      accepts: mapping.isGeo ? geoTest(one, mapping.precision) : categoryTest(one),
    }));
  });
  return (contexts) => {
    let best: number | null = null;
    for (const { name, boost, accepts } of tests) {
      if (isPlainObject(contexts) && listOf(contexts[name]).some(accepts)) best = Math.max(best ?? 0, boost);
    }
    return best;
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
