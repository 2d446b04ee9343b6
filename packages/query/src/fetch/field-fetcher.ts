import { errors, isApiError } from '@shoal/errors';
import { extractAll, extractValues, isPlainObject, setOwn } from '@shoal/json';
import { matchesWildcard, formatDouble } from '@shoal/values';
import type { FieldType, Mapping, RuntimeValues } from '@shoal/mapping';
import { columnValue } from './doc-value-fields.js';
import type { FieldSpec } from './fetch-spec.js';
import { doubleNumber, floatNumber } from '@shoal/json';
import { nestedLevels } from './nested-identity.js';

/** Values of one document for the `fields` option. */
export interface FetchedFields {
  readonly fields: Record<string, unknown>;
  /** Values that the index left out (too long, malformed), by field. */
  readonly ignored: Record<string, unknown> | null;
}

interface Wanted {
  /** Name in the answer: an alias keeps its own name. */
  readonly name: string;
  readonly type: FieldType;
  readonly format: string | null;
  /** The name or pattern of the request. */
  readonly asked: string;
  /** Paths of the values in the source; the first one is its own. */
  readonly sourcePaths: readonly [string, ...string[]];
  /** The mapping's `null_value`. */
  readonly nullValue: unknown;
}

/** Fields that are read at one nesting level: the root, or one nested object. */
interface Scope {
  readonly fields: readonly Wanted[];
  /** Nested objects directly below this level, by path relative to it. */
  readonly nested: readonly { readonly path: string; readonly scope: Scope }[];
}

/** Returns the values of a runtime field in the document that is read. */
export type RuntimeRead = (field: FieldType) => RuntimeValues;

/**
 * Reads the fields from the parsed source of a document or nested object. Runtime fields have the values of the
 * document in each of its nested objects.
 */
export type FieldFetcher = (source: Record<string, unknown>, runtime: RuntimeRead) => FetchedFields;

/**
 * Returns a reader of fields from sources, with values formatted by their types. Values below nested objects are
 * grouped by object. `root` is the path of the nested object that the sources are, null for documents. `shownAs`
 * replaces the formatting of a type.
 */
export function fieldFetcher(
  specs: readonly FieldSpec[],
  mapping: Mapping,
  root: string | null,
  shownAs = (type: FieldType): FieldType => type,
): FieldFetcher {
  const resolved = resolve(specs, mapping, shownAs);
  // Of several that name a field, the last one counts.
  const wanted = new Map(resolved.map((field) => [field.name, field]));
  const scope = scopeOf(root, [...wanted.values()], mapping);
  const unmapped = specs.filter((spec) => spec.includeUnmapped).map((spec) => spec.field);
  let isChecked = false;
  return (source, runtime) => {
    if (!isChecked) for (const field of resolved) checkFormat(field);
    isChecked = true;
    const fields: Record<string, unknown> = {};
    const ignored: Record<string, unknown> = {};
    const prefix = root === null ? '' : `${root}.`;
    readScope(scope, source, prefix, { fields, ignored, runtime });
    if (unmapped.length > 0) readUnmapped(source, prefix, unmapped, mapping, fields);
    const shown = root === null || Object.keys(fields).length === 0 ? fields : groupUnder(root, fields, mapping);
    return { fields: shown, ignored: Object.keys(ignored).length === 0 ? null : ignored };
  };
}

/** Places the values of a nested hit under the nested objects around it. */
function groupUnder(root: string, fields: Record<string, unknown>, mapping: Mapping): Record<string, unknown> {
  const levels = nestedLevels(root, mapping);
  return levels.reduceRight<Record<string, unknown>>(
    (inner, level, i) => ({ [i === 0 ? level : level.slice(levels[i - 1]!.length + 1)]: [inner] }),
    fields,
  );
}

/** Limit on the patterns of a request: each is compared with every field of the mapping. */
const PATTERNS_MAX = 256;

/** Refuses more names with wildcards than are resolved in a moment. */
export function checkPatterns(names: readonly string[]): void {
  const count = names.filter((name) => name.includes('*')).length;
  if (count > PATTERNS_MAX)
    throw errors.illegalArgument(
      'Trying to retrieve fields by too many patterns. Must be less than or equal to: ' +
        `[${PATTERNS_MAX}] but was [${count}]`,
    );
}

function resolve(specs: readonly FieldSpec[], mapping: Mapping, shownAs: (type: FieldType) => FieldType): Wanted[] {
  const wanted: Wanted[] = [];
  const distinct = new Map(specs.map((spec) => [`${spec.format ?? ''}\0${spec.field}`, spec]));
  checkPatterns([...distinct.values()].map(({ field }) => field));
  for (const spec of distinct.values()) {
    for (const [name, type] of namesOf(spec.field, mapping)) {
      if (type.runtime?.lookup !== undefined) continue;
      wanted.push({
        name,
        type: shownAs(type),
        format: spec.format,
        asked: spec.field,
        sourcePaths: mapping.sourcePaths(type.name) as [string, ...string[]],
        // The null_value of a flattened field stands for values within it.
        nullValue: type.keyed === undefined ? (type.toJson(false)['null_value'] ?? null) : null,
      });
    }
  }
  return wanted;
}

/** Returns the mapped fields that a name or a pattern stands for. Throws for internal fields. */
export function namesOf(pattern: string, mapping: Mapping): [name: string, type: FieldType][] {
  if (/^_(seq_no|primary_term|field_names|nested_path)$/.test(pattern)) {
    throw errors.unsupportedOperation(`Cannot fetch values for internal field [${pattern}].`);
  }
  if (!pattern.includes('*')) {
    const type = mapping.field(pattern);
    return type ? [[pattern, type]] : [];
  }
  const found: [string, FieldType][] = mapping.matching(pattern).map((type) => [type.name, type]);
  for (const [alias, target] of mapping.aliases) {
    const type = mapping.field(target);
    if (type && matchesWildcard(pattern, alias)) found.push([alias, type]);
  }
  return found;
}

function scopeOf(path: string | null, wanted: readonly Wanted[], mapping: Mapping): Scope {
  const own: Wanted[] = [];
  const below = new Map<string, Wanted[]>();
  for (const field of wanted) {
    const child = nestedBelow(path, field.sourcePaths[0], mapping);
    if (child === undefined) continue;
    if (child === null) own.push(field);
    else below.set(child, [...(below.get(child) ?? []), field]);
  }
  return {
    fields: own,
    nested: [...below].map(([child, fields]) => ({ path: child, scope: scopeOf(child, fields, mapping) })),
  };
}

/**
 * Returns the outermost nested object below `path` that contains a field; null if there is none, undefined when the
 * field is not below `path`.
 */
function nestedBelow(path: string | null, field: string, mapping: Mapping): string | null | undefined {
  let found: string | null = null;
  for (
    let parent = mapping.nestedParent(field)?.path ?? null;
    parent !== path;
    parent = parentNested(parent, mapping)
  ) {
    if (parent === null) return undefined;
    found = parent;
  }
  return found;
}

function parentNested(path: string, mapping: Mapping): string | null {
  const dot = path.lastIndexOf('.');
  return dot < 0 ? null : (mapping.nestedParent(path.slice(0, dot))?.path ?? null);
}

/** Where values go, and where those of runtime fields come from. */
interface Reading {
  readonly fields: Record<string, unknown>;
  readonly ignored: Record<string, unknown>;
  readonly runtime: RuntimeRead;
}

function readScope(scope: Scope, source: Record<string, unknown>, prefix: string, reading: Reading): void {
  for (const wanted of scope.fields) readField(wanted, source, prefix, reading);
  for (const { path, scope: inner } of scope.nested) {
    const groups: unknown[] = [];
    for (const object of extractValues(source, path.slice(prefix.length))) {
      if (!isPlainObject(object)) continue;
      const group: Record<string, unknown> = {};
      readScope(inner, object, `${path}.`, { ...reading, fields: group });
      if (Object.keys(group).length > 0) groups.push(group);
    }
    if (groups.length > 0) setOwn(reading.fields, path.slice(prefix.length), groups);
  }
}

function readField(wanted: Wanted, source: Record<string, unknown>, prefix: string, reading: Reading): void {
  const { name, type } = wanted;
  const dropped: unknown[] = [];
  const values =
    type.runtime === undefined
      ? sourceFieldValues(wanted, source, prefix, dropped)
      : runtimeFieldValues(wanted, reading.runtime(type));
  if (values.length > 0) setOwn(reading.fields, name.slice(name.startsWith(prefix) ? prefix.length : 0), values);
  if (dropped.length > 0) setOwn(reading.ignored, name, dropped);
}

/** Returns values of a runtime field in order, as columns print; points as objects. */
function runtimeFieldValues({ type, format }: Wanted, values: RuntimeValues): unknown[] {
  if (type.valueKind === 'geo')
    return Array.from({ length: values.length / 2 }, (_, i) =>
      formatValue(type, { lat: values[2 * i], lon: values[2 * i + 1] }, format),
    );
  const valueFormat = type.format(format, null);
  return values.map((value) => columnValue(type, valueFormat, value));
}

/** Returns paths relative to a nested object; what is outside of it is left out. */
function pathsBelow(paths: readonly string[], prefix: string): readonly string[] {
  return prefix === ''
    ? paths
    : paths.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
}

function sourceFieldValues(
  { type, format, sourcePaths, nullValue }: Wanted,
  source: Record<string, unknown>,
  prefix: string,
  dropped: unknown[],
): unknown[] {
  const values: unknown[] = [];
  for (const given of rawValues(type, source, pathsBelow(sourcePaths, prefix))) {
    const raw = given ?? nullValue;
    if (raw === null) continue;
    const value = formatValue(type, raw, format);
    if (value === undefined) dropped.push(raw);
    else if (Array.isArray(value)) values.push(...(value as unknown[]));
    else values.push(value);
  }
  return values;
}

function formatValue(type: FieldType, value: unknown, format: string | null): unknown {
  try {
    const shown = type.fetchValue(value, format);
    if (type.valueKind === 'geo' && format === 'wkt') return wellKnownText(shown);
    return type.valueKind === 'double' ? decimal(type, shown) : shown;
  } catch (error) {
    if (isApiError(error) && format === null) return undefined;
    throw error;
  }
}

/** Returns a decimal as the field's type prints it, such as 4.0. */
function decimal(type: FieldType, value: unknown): unknown {
  if (typeof value !== 'number') return value;
  return type.capabilities.printsFloats ? floatNumber(value) : doubleNumber(value);
}

/** Returns GeoJSON points as `POINT (lon lat)`. */
function wellKnownText(point: unknown): unknown {
  if (Array.isArray(point)) return point.map(wellKnownText);
  if (!isPlainObject(point) || !Array.isArray(point['coordinates'])) return point;
  return `POINT (${point['coordinates'].map((coordinate) => formatDouble(Number(coordinate))).join(' ')})`;
}

/** Values of runtime fields are printed as those of columns, which refuse what they do not take themselves. */
const takesFormat = ({ valueKind, capabilities, runtime }: FieldType): boolean =>
  valueKind === 'date' || capabilities.rangesOver === 'date' || runtime !== undefined;

/** Types of which 8.12 does not tell the name when it refuses a format. */
const NAMELESS = new Set(['text', 'binary']);
const namesType = ({ keyed, typeName }: FieldType): boolean => keyed === undefined && !NAMELESS.has(typeName);

const GEOMETRY_FORMATS = ['geojson', 'wkt'];

/** Throws for a format that the field does not take, once there is a document to show, as in 8.12. */
function checkFormat({ name, type, format, asked }: Wanted): void {
  if (format === null) return;
  const isGeometry = type.valueKind === 'geo' || type.shapes !== undefined;
  if (isGeometry ? GEOMETRY_FORMATS.includes(format) : takesFormat(type)) return;
  const cause = errors.illegalArgument(
    isGeometry
      ? `Unrecognized geometry format [${format}].`
      : `Field [${type.name}]${namesType(type) ? ` of type [${type.typeName}]` : ''} doesn't support formats.`,
  );
  const matched = asked.includes('*') ? ` which matched [${asked}]` : '';
  throw errors.illegalArgument(`error fetching [${name}]${matched}: ${cause.reason}`, { cause });
}

/**
 * Returns the values of a field in the source. Arrays of values are flattened, but an array of two numbers is one geo
 * point.
 */
function rawValues(type: FieldType, source: unknown, paths: readonly string[]): unknown[] {
  return type.valueKind === 'geo' ? paths.flatMap((path) => rawPoints(source, path)) : extractAll(source, paths);
}

function rawPoints(source: unknown, path: string): unknown[] {
  const dot = path.lastIndexOf('.');
  const [head, last] = [path.slice(0, Math.max(dot, 0)), path.slice(dot + 1)];
  const holders = dot < 0 ? [source] : extractValues(source, head);
  return holders.flatMap((holder) => {
    const value = isPlainObject(holder) ? holder[last] : undefined;
    if (value === undefined) return [];
    return Array.isArray(value) && typeof value[0] !== 'number' ? (value as unknown[]) : [value];
  });
}

/** Reads values below unmapped paths, by path. */
function readUnmapped(
  source: unknown,
  path: string,
  patterns: readonly string[],
  mapping: Mapping,
  fields: Record<string, unknown>,
): void {
  if (Array.isArray(source)) {
    for (const item of source) readUnmapped(item, path, patterns, mapping, fields);
    return;
  }
  // The value of a mapped field may be an object: of a range, a point, an input of completion.
  if (mapping.field(path) !== null) return;
  if (isPlainObject(source)) {
    for (const key of Object.keys(source))
      readUnmapped(
        source[key],
        path === '' || path.endsWith('.') ? path + key : `${path}.${key}`,
        patterns,
        mapping,
        fields,
      );
    return;
  }
  if (source === null || !patterns.some((pattern) => matchesWildcard(pattern, path))) return;
  const found = Object.hasOwn(fields, path) ? (fields[path] as unknown[]) : [];
  found.push(source);
  setOwn(fields, path, found);
}
