import { errors } from '@shoal/errors';
import { isPlainObject, type JsonObject, stringify } from '@shoal/json';
import type { FieldType, LookupSource } from '../field-type.js';
import type { MappingOptions } from '../mapping-api.js';
import { javaText } from '../parameter.js';
import { PLAIN_FORMAT } from '../types/definition.js';
import { createField } from '../tree/field-config.js';
import { parseField } from '../tree/parse-field.js';

/** Parameters of a runtime field of the type `lookup`, in the order of their errors. */
export const LOOKUP_PARAMETERS = ['target_index', 'input_field', 'target_field', 'fetch_fields'];

/**
 * Checks the definition of a `lookup` field, and returns it in the form of the mapping API. Throws
 * illegal_argument_exception or mapper_parsing_exception.
 */
export function checkedLookup(name: string, definition: JsonObject): JsonObject {
  const texts = LOOKUP_PARAMETERS.slice(0, 3).map((key): [string, string] => {
    const given = definition[key] === undefined ? '' : javaText(definition[key]);
    if (given === '') throw errors.illegalArgument(`[${key}] parameter must be specified`);
    if (key === 'input_field' && given === name)
      throw errors.illegalArgument(`lookup field [${name}] can't use input from itself`);
    return [key, given];
  });
  return {
    type: 'lookup',
    ...(definition['meta'] === undefined ? {} : { meta: definition['meta'] }),
    ...Object.fromEntries(texts),
    fetch_fields: fetchFields(definition['fetch_fields']),
  };
}

function fetchFields(given: unknown): readonly JsonObject[] {
  if (given !== undefined && !Array.isArray(given))
    throw errors.mapperParsing(`[fetch_fields] must be a list, got [${javaText(given)}]`);
  if (given === undefined || given.length === 0)
    throw errors.mapperParsing('[fetch_fields] parameter must not be empty');
  return given.map((entry: unknown) => {
    if (typeof entry === 'string') return { field: entry };
    if (!isPlainObject(entry))
      throw errors.mapperParsing(
        `unexpected value [${entry === null ? 'null' : javaText(entry)}] for [fetch_fields] parameter`,
      );
    const { field, format } = entry;
    if (field === undefined || field === null)
      throw errors.mapperParsing('[field] parameter of [fetch_fields] must be provided');
    return { field: javaText(field), ...(format === undefined || format === null ? {} : { format: javaText(format) }) };
  });
}

/** Creates the type of a `lookup` field: hits show its values, nothing else can use them. */
export function lookupType(path: string, definition: JsonObject, options: MappingOptions): FieldType {
  const { field } = createField(parseField(path, path, 'binary', {}, options), options);
  const lookup: LookupSource = {
    targetIndex: String(definition['target_index']),
    inputField: String(definition['input_field']),
    targetField: String(definition['target_field']),
    fetchFields: definition['fetch_fields'] as readonly JsonObject[],
  };
  return {
    ...field,
    typeName: 'lookup',
    termQuery() {
      throw errors.illegalArgument(`Cannot search on field [${path}] since it is a lookup field.`);
    },
    rangeQuery() {
      throw errors.illegalArgument(`Field [${path}] of type [lookup] does not support range queries`);
    },
    format: () => PLAIN_FORMAT,
    runtime: { key: stringify(definition), script: null, emittedAs: null, lookup },
    toJson: () => definition,
  };
}
