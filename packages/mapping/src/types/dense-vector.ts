import { withCapabilities } from '../field-capabilities.js';
import { errors } from '@shoal/errors';
import { formatDouble } from '@shoal/values';
import { faultAt, simpleTokenName } from '../document-fault.js';
import type { DocumentSink, FieldType } from '../field-type.js';
import {
  booleanParameter,
  choiceParameter,
  javaText,
  meta,
  parameter,
  type ParameterContext,
  parseInteger,
} from '../parameter.js';
import { type FieldConfig, fieldType, type FieldTypeDefinition, refuseRange } from './definition.js';

const DIMS_MAX = 4096;
const UNIT_TOLERANCE = 1e-4;
const SIMILARITIES = ['l2_norm', 'cosine', 'dot_product', 'max_inner_product'];

function parseDims(value: unknown, { field }: ParameterContext): unknown {
  const dims = parseInteger(value);
  if (dims >= 1 && dims <= DIMS_MAX) return dims;
  throw errors.mapperParsing(
    `The number of dimensions for field [${field}] should be in the range [1, ${DIMS_MAX}] but was [${dims}]`,
  );
}

function parseIndexOptions(value: unknown, { field }: ParameterContext): unknown {
  if (value === null) return null;
  const given = { ...(value as Record<string, unknown>) };
  const type = given['type'];
  if (type === undefined) throw errors.mapperParsing('[index_options] requires field [type] to be configured');
  if (type !== 'hnsw' && type !== 'int8_hnsw')
    throw errors.mapperParsing(`Unknown vector index options type [${javaText(type)}] for field [${field}]`);
  const interval = given['confidence_interval'];
  return {
    type,
    m: parseInteger(given['m'] ?? 16),
    ef_construction: parseInteger(given['ef_construction'] ?? 100),
    ...(interval === undefined ? {} : { confidence_interval: Number(interval) }),
  };
}

function expectNumber(value: unknown, i: number, vector: readonly unknown[]): number {
  if (typeof value === 'number') return value;
  const found = Array.isArray(value) ? 'START_ARRAY' : simpleTokenName(value);
  throw faultAt(
    { container: vector, key: i },
    errors.parsing(`Failed to parse object: expecting token of type [VALUE_NUMBER] but found [${found}]`),
  );
}

function checkByte(value: number, dim: number): void {
  if (!Number.isInteger(value)) {
    throw errors.illegalArgument(
      `element_type [byte] vectors only support non-decimal values but found decimal value [${value}] at dim [${dim}];`,
    );
  }
  if (value < -128 || value > 127) {
    throw errors.illegalArgument(
      `element_type [byte] vectors only support integers between [-128, 127] but found [${value}] at dim [${dim}];`,
    );
  }
}

function previewOf(values: readonly number[], isByte: boolean): string {
  const shown = values.slice(0, 5).map((value) => (isByte ? String(value) : formatDouble(Math.fround(value))));
  return `Preview of invalid vector: [${shown.join(', ')}${values.length > 5 ? ', ...' : ''}]`;
}

function checkMagnitude(values: readonly number[], similarity: string, isByte: boolean): void {
  let squares = 0;
  for (const value of values) squares += value * value;
  if (similarity === 'cosine' && Math.sqrt(squares) === 0) {
    throw errors.illegalArgument(
      `The [cosine] similarity does not support vectors with zero magnitude. ${previewOf(values, isByte)}`,
    );
  }
  if (similarity === 'dot_product' && !isByte && Math.abs(Math.sqrt(squares) - 1) > UNIT_TOLERANCE) {
    throw errors.illegalArgument(
      `The [dot_product] similarity can only be used with unit-length vectors. ${previewOf(values, isByte)}`,
    );
  }
}

function checkDims(name: string, dims: number, vector: readonly unknown[], sink: DocumentSink): void {
  const count = vector.length;
  const subject = `The [dense_vector] field [${name}] in doc [document with id '${sink.id ?? ''}'] has`;
  if (count > dims)
    throw faultAt(
      { container: vector, key: dims },
      errors.illegalArgument(`${subject} more dimensions than defined in the mapping [${dims}]`),
    );
  if (count < dims)
    throw errors.illegalArgument(
      `${subject} a different number of dimensions [${count}] than defined in the mapping [${dims}]`,
    );
}

function toBytes(values: readonly number[], isByte: boolean): Uint8Array {
  if (isByte) return new Uint8Array(Int8Array.from(values).buffer);
  return new Uint8Array(Float32Array.from(values).buffer);
}

/** Similarity of an indexed vector, `cosine` by default; `none` if it is not indexed. */
function similarityOf(config: FieldConfig): string {
  if (!config.boolean('index')) {
    for (const key of ['similarity', 'index_options']) {
      if (config.isSet(key))
        throw errors.mapperParsing(
          `Field [${key}] can only be specified for a field of type [dense_vector] when it is indexed`,
        );
    }
    return 'none';
  }
  return config.maybeText('similarity') ?? 'cosine';
}

function create(config: FieldConfig): FieldType {
  const { name } = config;
  const dims = config.value('dims');
  const isByte = config.text('element_type') === 'byte';
  const similarity = similarityOf(config);
  const layout = { name, terms: null, column: 'binary', points: false } as const;
  return fieldType(config, {
    layout,
    valueKind: 'none',
    isSearchable: false,
    isAggregatable: false,
    parse(value, sink) {
      if (value === null) return;
      if (!Array.isArray(value))
        throw errors.parsing('Failed to parse object: expecting token of type [VALUE_NUMBER] but found [END_OBJECT]');
      const values = value.map(expectNumber);
      if (isByte) values.forEach(checkByte);
      if (typeof dims === 'number') checkDims(name, dims, value, sink);
      else sink.proposeField(name, { ...config.given(), dims: values.length });
      checkMagnitude(values, similarity, isByte);
      sink.addBinary(layout, toBytes(values, isByte));
    },
    termQuery() {
      throw errors.illegalArgument(`Field [${name}] of type [dense_vector] doesn't support term queries`);
    },
    rangeQuery: () => refuseRange(config),
    format() {
      throw errors.illegalArgument(
        `Field [${name}] of type [dense_vector] doesn't support docvalue_fields or aggregations`,
      );
    },
    fetchValue: (value) => value,
  });
}

/** `dense_vector`: one vector of floats (little-endian binary32) or bytes in a binary column. */
export const denseVector: FieldTypeDefinition = {
  name: 'dense_vector',
  capabilities: withCapabilities({ refusesMatch: true }),
  parameters: [
    choiceParameter('element_type', 'float', ['byte', 'float']),
    parameter('dims', null, parseDims, { updates: (from) => from === null, isHiddenByDefault: true }),
    booleanParameter('index', true, { isAlwaysShown: true }),
    choiceParameter('similarity', 'cosine', SIMILARITIES, {
      isAlwaysShown: true,
      isHidden: (value) => value('index') === false,
    }),
    parameter('index_options', null, parseIndexOptions, { acceptsNull: true, isHiddenByDefault: true }),
    meta,
  ],
  create,
  takesArrays: true,
  faultStyle: 'cause',
};
