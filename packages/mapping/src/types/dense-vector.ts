import { withCapabilities } from '../field-capabilities.js';
import { type ApiError, errors } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import {
  encodeVector,
  type FieldLayout,
  squaredLength,
  type VectorGraphOptions,
  type VectorLayout,
  type VectorSimilarity,
} from '@shoal/segments';
import { formatDouble, formatFloat } from '@shoal/values';
import { castError } from '../cast-error.js';
import { DocumentFault, faultAt, simpleTokenName } from '../document-fault.js';
import type { DocumentSink, FieldType } from '../field-type.js';
import { noVectorColumn } from '../no-column.js';
import {
  booleanParameter,
  choiceParameter,
  javaText,
  meta,
  type Parameter,
  parameter,
  type ParameterContext,
  parseInteger,
} from '../parameter.js';
import { type FieldConfig, fieldType, type FieldTypeDefinition, refuseRange } from './definition.js';

const DIMS_MAX = 4096;
const INT_MAX = 2 ** 31 - 1;
/** How far the square of the length of a vector may be from 1 for `dot_product`. */
const UNIT_TOLERANCE = 1e-4;
const SIMILARITIES = ['l2_norm', 'cosine', 'dot_product', 'max_inner_product'];

function parseDims(value: unknown, { field }: ParameterContext): unknown {
  if (value === null) return null;
  const dims = Number.isInteger(value) && Math.abs(value as number) <= INT_MAX ? (value as number) : null;
  if (dims === null)
    throw errors.mapperParsing(`Property [dims] on field [${field}] must be an integer but got [${javaText(value)}]`);
  return checkedDims(dims, field);
}

function checkedDims(dims: number, field: string): number {
  if (dims >= 1 && dims <= DIMS_MAX) return dims;
  throw errors.mapperParsing(
    `The number of dimensions for field [${field}] should be in the range [1, ${DIMS_MAX}] but was [${dims}]`,
  );
}

/** `index_options` as they are kept. */
interface IndexOptions {
  readonly type: 'hnsw' | 'int8_hnsw';
  readonly m: number;
  readonly ef_construction: number;
  readonly confidence_interval?: number;
}

function parseIndexOptions(value: unknown, { field }: ParameterContext): unknown {
  if (value === null) return null;
  if (!isPlainObject(value)) throw castError(value, 'Map');
  const given: Record<string, unknown> = { ...value };
  const type = given['type'];
  if (type === undefined) throw errors.mapperParsing('[index_options] requires field [type] to be configured');
  if (type !== 'hnsw' && type !== 'int8_hnsw')
    throw errors.mapperParsing(`Unknown vector index options type [${javaText(type)}] for field [${field}]`);
  const { type: _, m, ef_construction: efConstruction, ...rest } = given;
  const interval = type === 'int8_hnsw' ? rest['confidence_interval'] : undefined;
  if (type === 'int8_hnsw') delete rest['confidence_interval'];
  const others = Object.entries(rest).map(([key, other]) => `[${key} : ${javaText(other)}]`);
  if (others.length > 0)
    throw errors.mapperParsing(`Mapping definition for [${field}] has unsupported parameters:  ${others.join(' ')}`);
  return {
    type,
    m: wholeOption(m, 16),
    ef_construction: wholeOption(efConstruction, 100),
    ...(interval === undefined || interval === null ? {} : { confidence_interval: parseInterval(interval) }),
  };
}

function wholeOption(value: unknown, byDefault: number): number {
  if (value === undefined || value === null) return byDefault;
  if (typeof value === 'number' && !Number.isInteger(value))
    throw errors.illegalArgument(`${value} is not an integer value`);
  return parseInteger(value);
}

function parseElementType(value: unknown): unknown {
  const type = javaText(value);
  if (type === 'byte' || type === 'float') return type;
  throw errors.mapperParsing(`invalid element_type [${type}]; available types are [byte, float]`);
}

function parseInterval(value: unknown): number {
  const interval = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value);
  if (Number.isNaN(interval)) throw errors.numberFormat(`For input string: "${javaText(value)}"`);
  return interval;
}

/** Limits of 8.12 for the options of graphs, with which it refuses documents, not mappings. */
const M_MAX = 512;
const EF_CONSTRUCTION_MAX = 3200;
const CONFIDENCE_MIN = 0.9;

/** Returns why no vector can be indexed with the options; null if it can. */
function graphFault(options: IndexOptions | null): string | null {
  if (options === null) return null;
  const { m, ef_construction: ef, confidence_interval: confidence = 1 } = options;
  if (m < 1 || m > M_MAX) return `maxConn must be positive and less than or equal to${M_MAX}; maxConn=${m}`;
  if (ef < 1 || ef > EF_CONSTRUCTION_MAX)
    return `beamWidth must be positive and less than or equal to${EF_CONSTRUCTION_MAX}; beamWidth=${ef}`;
  if (confidence >= CONFIDENCE_MIN && confidence <= 1) return null;
  return `confidenceInterval must be between 0.9 and 1.0; confidenceInterval=${formatDouble(Math.fround(confidence))}`;
}

function expectNumber(value: unknown, i: number, vector: readonly unknown[]): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  const found = Array.isArray(value) ? 'START_ARRAY' : simpleTokenName(value);
  const reason = `Failed to parse object: expecting token of type [VALUE_NUMBER] but found [${found}]`;
  throw new DocumentFault(({ line, column: col }) => errors.parsing(reason, { meta: { line, col } }), {
    container: vector,
    key: i,
  });
}

/** Refuses an element that its type cannot hold. The message ends with the first elements of `shown`, if given. */
function checkElement(value: number, dim: number, isByte: boolean, shown: readonly number[] | null): void {
  const refuse = (what: string): never => {
    const preview = shown === null ? '' : ` ${previewOf(shown, false)}`;
    throw errors.illegalArgument(
      `element_type [${isByte ? 'byte' : 'float'}] vectors ${what} at dim [${dim}];${preview}`,
    );
  };
  const float = Math.fround(value);
  if (!isByte || shown !== null) {
    if (Number.isNaN(float)) refuse('do not support NaN values but found [NaN]');
    if (!Number.isFinite(float)) refuse(`do not support infinite values but found [${formatDouble(float)}]`);
  }
  if (!isByte) return;
  const text = shown === null && Number.isInteger(float) ? String(asInt(value)) : formatFloat(value);
  if (!Number.isInteger(float)) refuse(`only support non-decimal values but found decimal value [${text}]`);
  if (value < -128 || value > 127) refuse(`only support integers between [-128, 127] but found [${text}]`);
}

/** A number as Java makes it an int: the nearest one. */
const asInt = (value: number): number => Math.max(-INT_MAX - 1, Math.min(INT_MAX, value));

/** Refuses the first element of a document's vector of bytes that is none, at its place. */
function checkBytes(values: readonly number[], vector: readonly unknown[]): void {
  values.forEach((value, dim) => {
    try {
      checkElement(value, dim, true, null);
    } catch (error) {
      throw faultAt({ container: vector, key: dim }, error as ApiError);
    }
  });
}

function previewOf(values: readonly number[], isByte: boolean): string {
  const shown = values.slice(0, 5).map((value) => (isByte ? String(value) : formatFloat(value)));
  return `Preview of invalid vector: [${shown.join(', ')}${values.length >= 5 ? ', ...' : ''}]`;
}

/** Refuses a vector that cannot be compared. As in 8.12 the square of its length is a sum of floats. */
function checkMagnitude(
  values: readonly number[],
  similarity: VectorSimilarity,
  isByte: boolean,
  showsBytes = isByte,
): void {
  const squares = squaredLength(values);
  const refuse = (what: string): never => {
    throw errors.illegalArgument(`${what} ${previewOf(values, showsBytes)}`);
  };
  if (!Number.isFinite(squares))
    refuse(
      'NaN or Infinite magnitude detected, this usually means the vector values are too extreme to fit within a float.',
    );
  if (similarity === 'cosine' && squares === 0)
    refuse('The [cosine] similarity does not support vectors with zero magnitude.');
  if (similarity === 'dot_product' && !isByte && Math.abs(squares - 1) > UNIT_TOLERANCE)
    refuse('The [dot_product] similarity can only be used with unit-length vectors.');
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

/** Similarity of an indexed vector, `cosine` by default; `none` if it is not indexed. */
function similarityOf(config: FieldConfig): VectorSimilarity {
  if (!config.boolean('index')) {
    for (const key of ['similarity', 'index_options']) {
      if (config.isSet(key))
        throw errors.illegalArgument(
          `Field [${key}] can only be specified for a field of type [dense_vector] when it is indexed`,
        );
    }
    return 'none';
  }
  return (config.maybeText('similarity') ?? 'cosine') as VectorSimilarity;
}

/** Options of the graphs over the vectors; null for the default ones. */
function graphOptions(config: FieldConfig, dims: number): VectorGraphOptions | null {
  const given = config.value('index_options') as IndexOptions | null;
  if (given === null || !config.boolean('index') || graphFault(given) !== null) return null;
  const { type, m, ef_construction: efConstruction, confidence_interval: confidence = 1 - 1 / (dims + 1) } = given;
  return { m, efConstruction, ...(type === 'int8_hnsw' ? { confidence } : {}) };
}

function vectorLayout(config: FieldConfig): FieldLayout | null {
  const { name } = config;
  const dims = config.value('dims');
  if (typeof dims !== 'number') return null;
  const element = config.text('element_type') === 'byte' ? 'byte' : 'float';
  const graph = graphOptions(config, dims);
  const vectors: VectorLayout = {
    dims,
    element,
    similarity: similarityOf(config),
    ...(graph === null ? {} : { graph }),
  };
  return { name, terms: null, column: 'vectors', points: false, vectors };
}

/** Returns the vector of a query as a row of the field. Throws 8.12's errors for one that the field cannot compare. */
function queryVector(name: string, layout: VectorLayout, values: readonly number[]): Uint8Array {
  const { dims, element, similarity } = layout;
  const isByte = element === 'byte';
  if (similarity === 'none')
    throw errors.illegalArgument(
      `to perform knn search on field [${name}], its mapping must have [index] set to [true]`,
    );
  if (values.length !== dims)
    throw errors.illegalArgument(
      `the query vector has a different dimension [${values.length}] than the index vectors [${dims}]`,
    );
  values.forEach((value, dim) => checkElement(value, dim, isByte, values));
  if (similarity === 'cosine' || similarity === 'dot_product') checkMagnitude(values, similarity, isByte, false);
  return encodeVector(values, layout);
}

function create(config: FieldConfig): FieldType {
  const { name } = config;
  const isByte = config.text('element_type') === 'byte';
  const similarity = similarityOf(config);
  const layout = vectorLayout(config);
  const indexOptions = config.value('index_options') as IndexOptions | null;
  if (isByte && indexOptions?.type === 'int8_hnsw')
    throw errors.illegalArgument('[element_type] cannot be [byte] when using index type [int8_hnsw]');
  const fault = graphFault(indexOptions);
  const vectors = layout?.vectors;
  return fieldType(config, {
    layout,
    valueKind: 'none',
    isSearchable: similarity !== 'none',
    isAggregatable: false,
    parse(value, sink) {
      if (value === null) return;
      if (!Array.isArray(value))
        throw errors.parsing('Failed to parse object: expecting token of type [VALUE_NUMBER] but found [END_OBJECT]');
      const values = value.slice(0, vectors?.dims).map((element, dim) => expectNumber(element, dim, value));
      if (isByte) checkBytes(values, value);
      if (vectors !== undefined) checkDims(name, vectors.dims, value, sink);
      if (!isByte) values.forEach((element, dim) => checkElement(element, dim, false, values));
      if (vectors === undefined) sink.proposeField(name, { ...config.given(), dims: checkedDims(values.length, name) });
      // Earlier builds took vectors of other lengths, and the last one of several.
      if (!sink.isLogged && similarity !== 'none') checkMagnitude(values, similarity, isByte);
      if (!sink.isLogged && layout !== null && sink.hasValue(layout))
        throw errors.illegalArgument(
          `Field [${name}] of type [dense_vector] doesn't not support indexing multiple values for the same field in ` +
            'the same document',
        );
      if (fault !== null && !sink.isLogged) throw errors.illegalArgument(fault);
      if (layout !== null && vectors !== undefined) sink.addBinary(layout, encodeVector(values, vectors));
    },
    queryVector: (values) => (vectors === undefined ? null : queryVector(name, vectors, values)),
    termQuery() {
      throw errors.illegalArgument(`Field [${name}] of type [dense_vector] doesn't support term queries`);
    },
    rangeQuery: () => refuseRange(config),
    format() {
      throw noVectorColumn(name, 'dense_vector');
    },
    fetchValue: (value) => value,
  });
}

const similarityChoice = choiceParameter('similarity', 'cosine', SIMILARITIES, {
  isAlwaysShown: true,
  isHidden: (value) => value('index') === false,
  acceptsNull: true,
});

/** `similarity`; null is the default one, as in 8.12. */
const similarityParameter: Parameter = {
  ...similarityChoice,
  parse: (value, context) => (value === null ? 'cosine' : similarityChoice.parse(value, context)),
};

/** `dense_vector`: one vector of floats or bytes in a column of vectors. */
export const denseVector: FieldTypeDefinition = {
  name: 'dense_vector',
  capabilities: withCapabilities({ refusesMatch: true, vectors: 'dense' }),
  parameters: [
    parameter('element_type', 'float', parseElementType),
    parameter('dims', null, parseDims, { updates: (from) => from === null, isHiddenByDefault: true }),
    booleanParameter('index', true, { isAlwaysShown: true }),
    similarityParameter,
    parameter('index_options', null, parseIndexOptions, { isHiddenByDefault: true }),
    meta,
  ],
  create,
  takesArrays: true,
  faultStyle: 'cause',
};
