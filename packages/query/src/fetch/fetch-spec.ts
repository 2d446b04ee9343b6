import { isPlainObject, type JsonObject, tokenOf } from '@shoal/json';
import { errors } from '@shoal/errors';
import { booleanField, fieldOf, readDeclared, stringField } from '../parse/declared.js';
import { boolean, text, textOrNull } from '../parse/options.js';
import { parsingAt } from '../parse/parse-field.js';
import { parseScriptFields, type ScriptField } from './script-fields.js';

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
  readonly scriptFields: readonly ScriptField[];
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
  if (isSourceAsked) throw errors.search('[stored_fields] cannot be disabled if [_source] is requested');
  if (fields.length > 0) throw errors.search('[stored_fields] cannot be disabled when using the [fields] option');
}

/**
 * Parses the fetch options in a part of a search body, such as inner_hits or top_hits. Other keys are ignored. Throws
 * parsing errors with the place.
 */
export function parseFetchSpec(body: JsonObject): FetchSpec {
  const storedFields = parseStoredFields(body);
  const flag = (key: string): boolean =>
    body[key] !== undefined && boolean(body[key], { type: 'search', container: body, key });
  const source = body['_source'] === undefined ? null : parseSourceSpec(body['_source'], body, '_source');
  return fetchSpecOf({
    source,
    fields: parseFieldSpecs(body, 'fields'),
    docvalueFields: parseFieldSpecs(body, 'docvalue_fields'),
    scriptFields: parseScriptFields(body),
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
 * `stored_fields` names it. Fields of scripts hide it too.
 */
export function fetchSpecOf(given: GivenOptions): FetchSpec {
  const { source, storedFields } = given;
  const hidesSource = storedFields === null ? given.scriptFields.length > 0 : !storedFields.names.includes('_source');
  return {
    source: source ?? (hidesSource ? HIDDEN : WHOLE),
    isSourceAsked: source !== null && source.isShown,
    fields: given.fields,
    docvalueFields: given.docvalueFields,
    scriptFields: given.scriptFields,
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
  if (Array.isArray(value)) {
    // 8.12 takes numbers and booleans of a list as texts.
    const texts = value.map((item) => (typeof item === 'number' || typeof item === 'boolean' ? String(item) : item));
    return { ...WHOLE, includes: patterns(texts, value, key) };
  }
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
    const list = Array.isArray(value) ? patterns(value, value, key) : patterns([value], body, key);
    if (key.startsWith('include')) includes = list;
    else excludes = list;
  }
  return { isShown: true, includes, excludes };
}

/** Limit on names and patterns of a list of `_source`. */
const SOURCE_PATTERNS_MAX = 32_768;

function patterns(values: readonly unknown[], container: object, key: string): string[] {
  if (values.length > SOURCE_PATTERNS_MAX)
    throw errors.illegalArgument(
      'Trying to filter _source by too many patterns. Must be less than or equal to: ' +
        `[${SOURCE_PATTERNS_MAX}] but was [${values.length}]`,
    );
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
  // 8.12 reads the token behind a null: an object there is taken, and the null is nothing.
  return value.flatMap((entry, i) =>
    entry === null && isPlainObject(value[i + 1]) ? [] : [parseField(entry, value, i)],
  );
}

const FORMAT_TOKENS = ['VALUE_STRING', 'VALUE_NULL'];
const FIELD_OPTIONS = {
  field: stringField(text),
  format: fieldOf(FORMAT_TOKENS, textOrNull),
  include_unmapped: booleanField(boolean),
};

function parseField(entry: unknown, list: readonly unknown[], index: number): FieldSpec {
  const place = { type: 'fields', container: list, key: index };
  if (entry === null || Array.isArray(entry)) throw notAField(entry, list, index);
  if (!isPlainObject(entry)) return { field: text(entry, place), format: null, includeUnmapped: false };
  const {
    field,
    format = null,
    include_unmapped: includeUnmapped = false,
  } = readDeclared('fetch_field_and_format', entry, FIELD_OPTIONS);
  if (field === undefined)
    return parsingAt({ container: entry, at: 'end' }, () => {
      throw errors.illegalArgument('Required [field]');
    });
  return { field, format, includeUnmapped };
}

/** The error of a null or a list among fields: 8.12 tells the token behind the one that it did not expect. */
function notAField(entry: readonly unknown[] | null, list: readonly unknown[], key: number): Error {
  const inside = Array.isArray(entry) ? entry : list.slice(key + 1);
  const next = inside.length === 0 ? 'END_ARRAY' : tokenOf(inside[0]);
  return errors.xContentParse(`[fetch_field_and_format] Expected START_OBJECT but was: ${next}`, {
    location: { container: list, key, at: 'next' },
  });
}
