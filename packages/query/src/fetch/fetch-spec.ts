import { isPlainObject, type JsonObject, tokenOf } from '@shoal/json';
import { errors } from '@shoal/errors';
import { boolean, text } from '../parse/options.js';

/** Option `_source`: whether the source is shown, and its patterns. */
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

/** Option `stored_fields`; `isNone` for `_none_`, which hides even the id. */
export interface StoredFieldsSpec {
  readonly isNone: boolean;
  readonly names: readonly string[];
}

/** Options of the fetch phase: the parts of a search body (or of inner_hits, top_hits) that say what a hit shows. */
export interface FetchSpec {
  readonly source: SourceSpec;
  readonly fields: readonly FieldSpec[];
  readonly docvalueFields: readonly FieldSpec[];
  /** Whether `_source` was given and shows something. `source` also has the default that holds without `_source`. */
  readonly isSourceAsked: boolean;
  /** Null when not given. */
  readonly storedFields: StoredFieldsSpec | null;
  readonly version: boolean;
  readonly seqNoPrimaryTerm: boolean;
  readonly explain: boolean;
}

const WHOLE: SourceSpec = { isShown: true, includes: [], excludes: [] };
const HIDDEN: SourceSpec = { isShown: false, includes: [], excludes: [] };

/**
 * Refuses options that need stored fields together with `stored_fields: _none_`. Not called for inner hits. Throws
 * search_exception.
 */
export function checkStoredFields({ storedFields, fields, isSourceAsked }: FetchSpec): void {
  if (!storedFields?.isNone) return;
  if (fields.length > 0) throw errors.search('[stored_fields] cannot be disabled when using the [fields] option');
  if (isSourceAsked) throw errors.search('[stored_fields] cannot be disabled if [_source] is requested');
}

/** Refuses to compute fields by scripts, as a node of Elasticsearch without a script engine does. */
export function refuseScriptFields(): Error {
  return errors.illegalArgument('script_lang not supported [painless]');
}

/**
 * Parses the fetch options in a part of a search body, such as inner_hits or top_hits. Other keys are ignored. Throws
 * parsing errors with the place.
 */
export function parseFetchSpec(body: JsonObject): FetchSpec {
  if (body['script_fields'] !== undefined && Object.keys(body['script_fields'] as object).length > 0)
    throw refuseScriptFields();
  const storedFields = parseStoredFields(body);
  const flag = (key: string): boolean =>
    body[key] !== undefined && boolean(body[key], { type: 'search', container: body, key });
  const source = body['_source'] === undefined ? null : parseSourceSpec(body['_source'], body, '_source');
  return fetchSpecOf({
    source,
    fields: parseFieldSpecs(body, 'fields'),
    docvalueFields: parseFieldSpecs(body, 'docvalue_fields'),
    storedFields,
    version: flag('version'),
    seqNoPrimaryTerm: flag('seq_no_primary_term'),
    explain: flag('explain'),
  });
}

/** Fetch options as their sections parsed them. `source` is null if `_source` is not given. */
interface GivenOptions extends Omit<FetchSpec, 'source' | 'isSourceAsked'> {
  readonly source: SourceSpec | null;
}

/**
 * Returns fetch options with defaults filled in. If only `stored_fields` is given, the source is hidden unless
 * `stored_fields` names it.
 */
export function fetchSpecOf(given: GivenOptions): FetchSpec {
  const { source, storedFields } = given;
  const hidesSource = storedFields !== null && !storedFields.names.includes('_source');
  return {
    source: source ?? (hidesSource ? HIDDEN : WHOLE),
    isSourceAsked: source !== null && source.isShown,
    fields: given.fields,
    docvalueFields: given.docvalueFields,
    storedFields,
    version: given.version,
    seqNoPrimaryTerm: given.seqNoPrimaryTerm,
    explain: given.explain,
  };
}

/** Parses the `stored_fields` of a body; null when absent. Throws parsing errors with the place. */
export function parseStoredFields(body: JsonObject): StoredFieldsSpec | null {
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

/** Parses `_source`: `true`, `false`, patterns, or `{includes, excludes}`. */
export function parseSourceSpec(value: unknown, container: object, key: string): SourceSpec {
  if (typeof value === 'boolean') return value ? WHOLE : HIDDEN;
  if (typeof value === 'string') return { ...WHOLE, includes: [value] };
  if (Array.isArray(value)) return { ...WHOLE, includes: patterns(value, value, key) };
  if (isPlainObject(value)) return parseSourceObject(value);
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

/** Parses the entries of `fields` or `docvalue_fields` of a body; empty when the key is absent. */
export function parseFieldSpecs(body: JsonObject, key: 'fields' | 'docvalue_fields'): FieldSpec[] {
  const value = body[key];
  if (value === undefined) return [];
  if (!Array.isArray(value))
    throw errors.parsing(`Unknown key for a ${tokenOf(value)} in [${key}].`, { location: { container: body, key } });
  return value.map((entry, i) => parseField(entry, value, i));
}

function parseField(entry: unknown, container: object, index: number): FieldSpec {
  if (!isPlainObject(entry))
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
