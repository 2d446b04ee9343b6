import { errors } from '@shoal/errors';
import { boolean, isObject, type JsonObject, text, tokenOf } from '../parse/options.js';

/** Patterns of `_source`. */
export interface SourceSpec {
  readonly isShown: boolean;
  readonly includes: readonly string[];
  readonly excludes: readonly string[];
}

/** An entry of `fields` or `docvalue_fields`. */
export interface FieldSpec {
  readonly field: string;
  readonly format: string | null;
  readonly includeUnmapped: boolean;
}

/**
 * What of a document a hit shows: the parts of a search body (or of inner_hits, top_hits) that the fetch phase reads.
 */
export interface FetchSpec {
  readonly source: SourceSpec;
  readonly fields: readonly FieldSpec[];
  readonly docvalueFields: readonly FieldSpec[];
  /** Null when not given; `isNone` for `_none_`: not even the id is shown. */
  readonly storedFields: { readonly isNone: boolean; readonly names: readonly string[] } | null;
  readonly version: boolean;
  readonly seqNoPrimaryTerm: boolean;
  readonly explain: boolean;
}

const WHOLE: SourceSpec = { isShown: true, includes: [], excludes: [] };
const HIDDEN: SourceSpec = { isShown: false, includes: [], excludes: [] };

/** Refuses what cannot be shown of hits without their stored fields; inner hits may. Throws search_exception. */
export function checkStoredFields({ storedFields, fields }: FetchSpec, body: JsonObject): void {
  if (storedFields?.isNone) refuseWithoutStored(fields, body);
}

/** Reads the fetch options of a body; other keys are left to their owners. Throws parsing errors with the place. */
export function parseFetchSpec(body: JsonObject): FetchSpec {
  if (body['script_fields'] !== undefined && Object.keys(body['script_fields'] as object).length > 0) {
    throw errors.illegalArgument('script_lang not supported [painless]');
  }
  const storedFields = parseStoredFields(body);
  const flag = (key: string): boolean =>
    body[key] !== undefined && boolean(body[key], { type: 'search', container: body, key });
  const hidesSource = storedFields !== null && !storedFields.names.includes('_source');
  const source =
    body['_source'] === undefined ? (hidesSource ? HIDDEN : WHOLE) : parseSourceSpec(body['_source'], body, '_source');
  const fields = parseFieldSpecs(body, 'fields');
  return {
    source,
    fields,
    docvalueFields: parseFieldSpecs(body, 'docvalue_fields'),
    storedFields,
    version: flag('version'),
    seqNoPrimaryTerm: flag('seq_no_primary_term'),
    explain: flag('explain'),
  };
}

function refuseWithoutStored(fields: readonly FieldSpec[], body: JsonObject): void {
  const refuse = (option: string): Error =>
    errors.search(`[stored_fields] cannot be disabled when using the [${option}] option`);
  if (fields.length > 0) throw refuse('fields');
  if (body['version'] === true) throw errors.search('[stored_fields] cannot be disabled if [version] is requested');
  if (body['_source'] !== undefined && body['_source'] !== false)
    throw errors.search('[stored_fields] cannot be disabled if [_source] is requested');
}

function parseStoredFields(body: JsonObject): FetchSpec['storedFields'] {
  const value = body['stored_fields'];
  if (value === undefined) return null;
  if (!Array.isArray(value) && typeof value !== 'string') {
    throw errors.parsing(`Expected [VALUE_STRING] or [START_ARRAY] in [stored_fields] but found [${tokenOf(value)}]`, {
      location: { container: body, key: 'stored_fields' },
    });
  }
  const names = (Array.isArray(value) ? value : [value]).map((name) =>
    text(name, { type: 'stored_fields', container: body, key: 'stored_fields' }),
  );
  if (names.includes('_none_') && names.length > 1)
    throw errors.illegalArgument(`cannot combine _none_ with other fields`);
  return names[0] === '_none_' ? { isNone: true, names: [] } : { isNone: false, names };
}

/** `true`, `false`, patterns, or `{includes, excludes}`. */
export function parseSourceSpec(value: unknown, container: object, key: string): SourceSpec {
  if (typeof value === 'boolean') return value ? WHOLE : HIDDEN;
  if (typeof value === 'string') return { ...WHOLE, includes: [value] };
  if (Array.isArray(value)) return { ...WHOLE, includes: patterns(value, value, key) };
  if (isObject(value)) return parseSourceObject(value);
  throw errors.parsing(
    `Expected one of [VALUE_BOOLEAN, VALUE_STRING, START_ARRAY, START_OBJECT] but found [${tokenOf(value)}]`,
    { location: { container, key } },
  );
}

function parseSourceObject(body: JsonObject): SourceSpec {
  let { includes, excludes }: SourceSpec = WHOLE;
  for (const key of Object.keys(body)) {
    const value = body[key];
    const isList = typeof value === 'string' || Array.isArray(value);
    if (!isList || !/^(includes?|excludes?)$/.test(key)) {
      throw errors.parsing(`Unknown key for a ${tokenOf(value)} in [${key}].`, { location: { container: body, key } });
    }
    const list = patterns(Array.isArray(value) ? value : [value], body, key);
    if (key.startsWith('include')) includes = list;
    else excludes = list;
  }
  return { isShown: true, includes, excludes };
}

function patterns(values: readonly unknown[], container: object, key: string): string[] {
  return values.map((value, i) => {
    if (typeof value === 'string') return value;
    throw errors.parsing(`Unknown key for a ${tokenOf(value)} in [${key}].`, {
      location: Array.isArray(container) ? { container, key: i } : { container, key },
    });
  });
}

/** The entries of `fields` or `docvalue_fields` of a body; none when it has no such key. */
export function parseFieldSpecs(body: JsonObject, key: 'fields' | 'docvalue_fields'): FieldSpec[] {
  const value = body[key];
  if (value === undefined) return [];
  if (!Array.isArray(value))
    throw errors.parsing(`Unknown key for a ${tokenOf(value)} in [${key}].`, { location: { container: body, key } });
  return value.map((entry, i) => parseField(entry, value, i));
}

function parseField(entry: unknown, container: object, index: number): FieldSpec {
  if (!isObject(entry))
    return { field: text(entry, { type: 'fields', container, key: index }), format: null, includeUnmapped: false };
  const spec = { field: '', format: null as string | null, includeUnmapped: false };
  for (const key of Object.keys(entry)) {
    const place = { type: 'fetch_field_and_format', container: entry, key };
    if (key === 'field') spec.field = text(entry[key], place);
    else if (key === 'format') spec.format = entry[key] === null ? null : text(entry[key], place);
    else if (key === 'include_unmapped') spec.includeUnmapped = boolean(entry[key], place);
    else
      throw errors.xContentParse(`[fetch_field_and_format] unknown field [${key}]`, {
        location: { container: entry, key, at: 'key' },
      });
  }
  if (spec.field === '') throw errors.illegalArgument('Required [field]');
  return spec;
}
