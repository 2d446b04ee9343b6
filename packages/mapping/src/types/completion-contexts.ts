import { errors } from '@shoal/errors';
import { isPlainObject, type JsonObject } from '@shoal/json';
import { geohashEncode, parseDistance, parseGeoPoint } from '@shoal/values';
import { faultAt, simpleTokenName } from '../document-fault.js';
import { javaText } from '../parameter.js';

/** A context of a completion field, as its mapping defines it. */
export interface ContextMapping {
  readonly name: string;
  readonly type: 'CATEGORY' | 'GEO';
  /** Length of the geohashes of a geo context. */
  readonly precision?: number;
  /** Field of the document that provides the context if the entry does not. */
  readonly path?: string;
}

/** Values of contexts by name: texts, or geohashes of full length. */
export type ContextValues = ReadonlyMap<string, readonly string[]>;

const CONTEXTS_MAX = 10;
const GEOHASH_LENGTH = 12;
const DEFAULT_PRECISION = 6;
const EARTH_EQUATOR_METERS = 2 * Math.PI * 6378137;
const EARTH_POLAR_DISTANCE_METERS = Math.PI * 6356752.314245;

/** Length of geohashes whose cells are about as large as a distance. */
function lengthForMeters(meters: number): number {
  if (meters === 0) return GEOHASH_LENGTH;
  const ratio = 1 + EARTH_POLAR_DISTANCE_METERS / EARTH_EQUATOR_METERS;
  const parts = Math.ceil(EARTH_EQUATOR_METERS / (meters / ratio));
  const bits = Math.ceil(Math.log2(parts));
  const full = Math.floor(bits / 5);
  const left = bits - 5 * full;
  return Math.min(GEOHASH_LENGTH, Math.floor((full + (left > 0 ? 1 : 0) + full + (left > 3 ? 1 : 0)) / 2));
}

function parsePrecision(value: unknown): number {
  if (typeof value === 'number') return value;
  const text = javaText(value);
  return /^\d+$/.test(text) ? Number(text) : lengthForMeters(parseDistance(text));
}

function parseContext(json: unknown): ContextMapping {
  if (!isPlainObject(json) || json['name'] === undefined) throw errors.parse('missing [name] in context mapping');
  const name = javaText(json['name']);
  if (json['type'] === undefined) throw errors.parse('missing [type] in context mapping');
  const type = javaText(json['type']).toUpperCase();
  if (type !== 'CATEGORY' && type !== 'GEO')
    throw errors.illegalArgument(`No context type for [${javaText(json['type'])}]`);
  const known = type === 'GEO' ? ['name', 'type', 'path', 'precision'] : ['name', 'type', 'path'];
  for (const key of Object.keys(json)) {
    if (!known.includes(key))
      throw errors.mapperParsing(
        `Mapping definition for [${name}] has unsupported parameters:  [${key} : ${javaText(json[key])}]`,
      );
  }
  const path = json['path'] === undefined ? {} : { path: javaText(json['path']) };
  return type === 'GEO'
    ? { name, type, precision: parsePrecision(json['precision'] ?? DEFAULT_PRECISION), ...path }
    : { name, type, ...path };
}

/** Parses `contexts` of a completion field; null if absent. Throws parse_exception and similar errors. */
export function parseContextMappings(value: unknown): readonly ContextMapping[] | null {
  if (value === null) return null;
  const list = Array.isArray(value) ? value : [value];
  if (list.length === 0) throw errors.parse('expected at least one context mapping');
  if (list.length > CONTEXTS_MAX)
    throw errors.illegalArgument(`Limit of completion field contexts [${CONTEXTS_MAX}] has been exceeded`);
  const contexts = list.map(parseContext);
  const names = new Set<string>();
  for (const { name } of contexts) {
    if (names.has(name)) throw errors.illegalArgument(`Context name [${name}] is not unique`);
    names.add(name);
  }
  return contexts;
}

function geohashes(value: unknown, isLogged: boolean): readonly string[] {
  if (typeof value === 'string' && !value.includes(',') && !/^\s*POINT/i.test(value)) return [value];
  return parseGeoPoint(value, isLogged).map(({ lat, lon }) => geohashEncode(lat, lon, GEOHASH_LENGTH));
}

function categories(container: JsonObject, key: string): readonly string[] {
  const value = container[key];
  const list = Array.isArray(value) ? value : [value];
  return list.map((item) => {
    if (typeof item === 'object' || item === undefined) {
      const reason =
        'contexts must be a string, number or boolean or a list of string, number or boolean, but was ' +
        `[${simpleTokenName(item)}]`;
      throw faultAt({ container, key }, errors.parse(reason));
    }
    return String(item);
  });
}

/** Context values in an entry of a document. `isLogged`: the document was accepted before. */
export function readContexts(
  value: unknown,
  contexts: readonly ContextMapping[],
  entry: JsonObject,
  isLogged: boolean,
): ContextValues {
  const values = new Map<string, readonly string[]>();
  if (value === undefined || value === null) return values;
  if (!isPlainObject(value)) {
    throw faultAt(
      { container: entry, key: 'contexts' },
      errors.illegalArgument(`contexts must be an object or an array , but was [${simpleTokenName(value)}]`),
    );
  }
  for (const [name, given] of Object.entries(value)) {
    const context = contexts.find((candidate) => candidate.name === name);
    if (!context) {
      const names = contexts.map((candidate) => candidate.name).join(', ');
      throw faultAt(
        { container: value, key: name, at: 'key' },
        errors.illegalArgument(`Unknown context name [${name}], must be one of [${names}]`),
      );
    }
    values.set(name, context.type === 'GEO' ? geohashes(given, isLogged) : categories(value, name));
  }
  return values;
}

/** Context values from the fields that contexts name by `path`. */
export function contextsOfFields(
  contexts: readonly ContextMapping[],
  valuesOf: (field: string) => readonly unknown[],
): ContextValues {
  const found = new Map<string, readonly string[]>();
  for (const { name, path, type } of contexts) {
    if (path === undefined) continue;
    const values = valuesOf(path);
    const texts = type === 'GEO' ? pairsOf(values) : [...new Set(values.map(String))];
    if (texts.length > 0) found.set(name, texts);
  }
  return found;
}

function pairsOf(values: readonly unknown[]): readonly string[] {
  const hashes: string[] = [];
  for (let i = 0; i + 1 < values.length; i += 2)
    hashes.push(geohashEncode(Number(values[i]), Number(values[i + 1]), GEOHASH_LENGTH));
  return hashes.length > 0 ? hashes : values.map(String);
}
