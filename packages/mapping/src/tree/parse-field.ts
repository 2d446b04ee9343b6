import { errors } from '@shoal/errors';
import { isPlainObject, type JsonObject } from '@shoal/json';
import type { MappingOptions } from '../mapping-api.js';
import { javaText, type ParameterContext } from '../parameter.js';
import { fieldTypes } from '../types/catalogue.js';
import type { FieldTypeDefinition } from '../types/definition.js';
import type { AliasNode, FieldNode } from './node.js';

/** Obsolete parameters that old clients still send; they are ignored. */
const IGNORED_PARAMETERS = new Set(['boost']);

function parseCopyTo(value: unknown): readonly string[] {
  return (Array.isArray(value) ? value : [value]).map(javaText);
}

function parseMultiFields(value: unknown, name: string, path: string, options: MappingOptions): Map<string, FieldNode> {
  const fields = new Map<string, FieldNode>();
  if (Array.isArray(value) && value.length === 0) return fields;
  if (!isPlainObject(value))
    throw errors.mapperParsing(
      `expected map for property [fields] on field [${name}] but got a class java.lang.String`,
    );
  for (const [key, definition] of Object.entries(value)) {
    if (!isPlainObject(definition))
      throw errors.mapperParsing(`illegal field [${key}], only fields can be specified inside fields`);
    if (key.includes('.'))
      throw errors.mapperParsing(`Field name [${key}] which is a multi field of [${path}] cannot contain '.'`);
    fields.set(key, parseMultiField(key, `${path}.${key}`, definition, options));
  }
  return fields;
}

function parseMultiField(name: string, path: string, definition: JsonObject, options: MappingOptions): FieldNode {
  if (definition['type'] === undefined) throw errors.mapperParsing(`no type specified for property [${name}]`);
  const type = javaText(definition['type']);
  if (type === 'object' || type === 'nested' || type === 'alias')
    throw errors.mapperParsing(`Type [${type}] cannot be used in multi field`);
  const known = fieldTypes.get(type);
  if (!known) throw errors.mapperParsing(`no handler for type [${type}] declared on field [${name}]`);
  if (known.cannotBeMultiField)
    throw errors.mapperParsing(`Field [${path}] of type [${type}] can't be used in multifields`);
  const field = parseField(name, path, type, definition, options);
  if (field.multiFields.size > 0) {
    throw errors.illegalArgument(
      `Encountered a multi-field [${name}] which itself contains a multi-field. Defining chained multi-fields is ` +
        'not supported.',
    );
  }
  return field;
}

function parseValue(definition: FieldTypeDefinition, key: string, value: unknown, context: ParameterContext): unknown {
  const parameter = definition.parameters.find((candidate) => candidate.name === key);
  const subject = `mapper [${context.field}] of type [${definition.name}]`;
  if (!parameter) throw errors.mapperParsing(`unknown parameter [${key}] on ${subject}`);
  if (value === null && !parameter.acceptsNull)
    throw errors.mapperParsing(`[${key}] on ${subject} must not have a [null] value`);
  return parameter.parse(value, context);
}

/** Parses the definition of a leaf field, its multi-fields included. */
export function parseField(
  name: string,
  path: string,
  type: string,
  json: JsonObject,
  options: MappingOptions,
): FieldNode {
  const definition = fieldTypes.get(type);
  if (!definition) throw errors.mapperParsing(`No handler for type [${type}] declared on field [${name}]`);
  const context: ParameterContext = { field: name, typeName: type, options };
  const values = new Map<string, unknown>();
  let multiFields: ReadonlyMap<string, FieldNode> = new Map();
  let copyTo: readonly string[] = [];
  for (const [key, value] of Object.entries(json)) {
    if (key === 'type' || IGNORED_PARAMETERS.has(key)) continue;
    if (key === 'fields') multiFields = parseMultiFields(value, name, path, options);
    else if (key === 'copy_to') copyTo = parseCopyTo(value);
    else values.set(key, parseValue(definition, key, value, context));
  }
  return { kind: 'field', name, path, definition, values, multiFields, copyTo };
}

/** Parses the definition of an alias. */
export function parseAlias(name: string, path: string, json: JsonObject): AliasNode {
  if (json['path'] === undefined || json['path'] === null)
    throw errors.mapperParsing(`The [path] property must be specified for field [${name}].`);
  for (const key of Object.keys(json)) {
    if (key !== 'type' && key !== 'path')
      throw errors.mapperParsing(
        `Mapping definition for [${name}] has unsupported parameters:  [${key} : ${javaText(json[key])}]`,
      );
  }
  return { kind: 'alias', name, path, target: javaText(json['path']) };
}
