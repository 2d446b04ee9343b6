import { errors } from '@shoal/errors';
import { type JsonObject, stringify } from '@shoal/json';
import type { FieldType, RangeBounds, RuntimeScript, RuntimeSource, ValueQuery } from '../field-type.js';
import type { MappingOptions, RuntimeDefinitions } from '../mapping-api.js';
import { javaText, parseBoolean } from '../parameter.js';
import { createField } from '../tree/field-config.js';
import { parseField } from '../tree/parse-field.js';
import { subFields } from './runtime-definition.js';
import { lookupType } from './lookup-field.js';
import { parseRuntimeScript } from './runtime-script.js';

/** Parameters that runtime fields share with mapped fields of their type. */
const SHARED_PARAMETERS = ['format', 'locale', 'meta'];

/**
 * Creates the type of a runtime field: that of a mapped field which has a column and no index, with a `runtime` source.
 * Throws mapper_parsing_exception or illegal_argument_exception for invalid parameters.
 */
function runtimeType(path: string, definition: JsonObject, runtime: RuntimeSource, options: MappingOptions): FieldType {
  const shared = SHARED_PARAMETERS.filter((key) => definition[key] !== undefined).map((key) => [key, definition[key]]);
  const json: JsonObject = { ...Object.fromEntries(shared), index: false };
  const { field } = createField(parseField(path, path, javaText(definition['type']), json, options), options);
  const queries = OWN_QUERIES[field.typeName]?.(field) ?? {};
  return { ...field, ...queries, runtime, toJson: () => definition };
}

/** Types by definition. Definitions are immutable, so after a merge only those of changed fields are created. */
const made = new WeakMap<JsonObject, Made>();

interface Made {
  readonly path: string;
  readonly options: MappingOptions;
  readonly types: readonly FieldType[];
}

function typesOf(path: string, definition: JsonObject, options: MappingOptions): readonly FieldType[] {
  const known = made.get(definition);
  if (known?.options === options && known.path === path) return known.types;
  const types = createTypes(path, definition, options);
  made.set(definition, { path, options, types });
  return types;
}

function createTypes(path: string, definition: JsonObject, options: MappingOptions): readonly FieldType[] {
  const type = javaText(definition['type']);
  if (type === 'lookup') return [lookupType(path, definition, options)];
  const script = parseRuntimeScript(path, type, definition);
  if (script !== null) checkScript(script, type, options);
  const key = stringify(definition);
  if (type !== 'composite') return [runtimeType(path, definition, { key, script, emittedAs: null }, options)];
  return [...subFields(path, definition)].map(([name, sub]) => {
    const emittedAs = name.slice(path.length + 1);
    return runtimeType(name, sub, { key: `${key} ${name}`, script, emittedAs }, options);
  });
}

function checkScript(script: RuntimeScript, type: string, { checkScript: check }: MappingOptions): void {
  if (check === undefined)
    throw errors.mapperParsing(`[script] on runtime field [${script.field}] of type [${type}] is not supported`);
  check(script, script.context);
}

/** Queries of types whose runtime fields read them in another way than mapped fields do. */
const OWN_QUERIES: Readonly<Record<string, (mapped: FieldType) => Pick<FieldType, 'termQuery'> & Partial<FieldType>>> =
  {
    boolean: () => ({
      termQuery: (value) => booleanQuery(readBoolean(value), readBoolean(value)),
      rangeQuery: booleanRange,
    }),
    date: (mapped) => ({
      // The first millisecond of what the value names: `2020` is not the whole year.
      termQuery(value, context) {
        const query = mapped.termQuery(value, context);
        return query.kind === 'number' ? { ...query, high: query.low } : query;
      },
    }),
  };

/** Reads the value of a query as `Booleans.parseBoolean(text, false)` of Elasticsearch. */
const readBoolean = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== '' && parseBoolean(value);

/** Returns the query of the values from `low` to `high`. */
const booleanQuery = (low: boolean, high: boolean): ValueQuery => ({
  kind: 'number',
  low: low ? 1 : 0,
  high: high ? 1 : 0,
});

/** An open end counts as false, so that a range without an upper end never contains true. */
function booleanRange({ gt, gte, lt, lte }: RangeBounds): ValueQuery {
  const [from, to] = [readBoolean(gte ?? gt), readBoolean(lte ?? lt)];
  const [hasLow, hasHigh] = [(gt ?? null) === null, (lt ?? null) === null];
  if (from && !to) return { kind: 'none' };
  if (from === to) return hasLow && hasHigh ? booleanQuery(from, from) : { kind: 'none' };
  if (!hasLow && !hasHigh) return { kind: 'none' };
  return booleanQuery(!hasLow, hasHigh);
}

/** Creates the types of runtime fields, by path. */
export function runtimeTypes(definitions: RuntimeDefinitions, options: MappingOptions): ReadonlyMap<string, FieldType> {
  const types = [...definitions].flatMap(([path, definition]) => typesOf(path, definition, options));
  return new Map(types.map((type) => [type.name, type]));
}
