import { test } from 'node:test';
import { fieldTable, refusesDefinitions } from '../testing/field-table.js';

const vector = fieldTable({ type: 'dense_vector', dims: 3 });
const bytes = fieldTable({ type: 'dense_vector', dims: 2, element_type: 'byte' });

test('dense_vector refuses vectors of other sizes and kinds', () =>
  vector.refuses([
    [
      [1, 2],
      "illegal_argument_exception: The [dense_vector] field [f] in doc [document with id '1'] has a " +
        'different number of dimensions [2] than defined in the mapping [3]',
    ],
    [
      [1, 2, 3, 4],
      "illegal_argument_exception: The [dense_vector] field [f] in doc [document with id '1'] has more " +
        'dimensions than defined in the mapping [3]',
    ],
    [
      [0, 0, 0],
      'illegal_argument_exception: The [cosine] similarity does not support vectors with zero magnitude. ' +
        'Preview of invalid vector: [0.0, 0.0, 0.0]',
    ],
    ['x', 'parsing_exception: Failed to parse object: expecting token of type [VALUE_NUMBER] but found [END_OBJECT]'],
    [
      [1e39, 2, 3, {}],
      "illegal_argument_exception: The [dense_vector] field [f] in doc [document with id '1'] has more " +
        'dimensions than defined in the mapping [3]',
    ],
    [
      [1, 'x', 3],
      'parsing_exception: Failed to parse object: expecting token of type [VALUE_NUMBER] but found [VALUE_STRING]',
    ],
  ]));

test('dense_vector cannot be searched by value', () =>
  vector.terms([[1, "illegal_argument_exception: Field [f] of type [dense_vector] doesn't support term queries"]]));

test('vectors of bytes refuse decimals and numbers out of range', () =>
  bytes.refuses([
    [
      [1.5, 1],
      'illegal_argument_exception: element_type [byte] vectors only support non-decimal values but found ' +
        'decimal value [1.5] at dim [0];',
    ],
    [
      [200, 1],
      'illegal_argument_exception: element_type [byte] vectors only support integers between [-128, 127] ' +
        'but found [200] at dim [0];',
    ],
  ]));

test('dense_vector refuses sizes and similarities that it does not know', () =>
  refusesDefinitions([
    [
      { type: 'dense_vector', dims: 0 },
      'mapper_parsing_exception: The number of dimensions for field [f] should be in the range [1, 4096] ' +
        'but was [0]',
    ],
    [
      { type: 'dense_vector', index_options: null },
      'mapper_parsing_exception: [index_options] on mapper [f] of type [dense_vector] must not have a [null] value',
    ],
    ...[2.5, '2', true, [2]].map((dims): [Record<string, unknown>, string] => [
      { type: 'dense_vector', dims },
      'mapper_parsing_exception: Property [dims] on field [f] must be an integer but got ' +
        `[${Array.isArray(dims) ? '[2]' : String(dims)}]`,
    ]),
    [
      { type: 'dense_vector', element_type: 'bit' },
      'mapper_parsing_exception: invalid element_type [bit]; available types are [byte, float]',
    ],
    [
      { type: 'dense_vector', dims: 5000 },
      'mapper_parsing_exception: The number of dimensions for field [f] should be in the range [1, 4096] ' +
        'but was [5000]',
    ],
    [
      { type: 'dense_vector', dims: 3, similarity: 'near' },
      'mapper_parsing_exception: Unknown value [near] for field [similarity] - accepted values are ' +
        '[l2_norm, cosine, dot_product, max_inner_product]',
    ],
  ]));

const refusedGraph = (options: object, reason: string) =>
  fieldTable({ type: 'dense_vector', dims: 2, index_options: options }).refuses([
    [[1, 2], `illegal_argument_exception: ${reason}`],
  ]);

test('vectors are refused if their graph would have options beyond those of 8.12', () => {
  const hnsw = { type: 'hnsw' };
  refusedGraph({ ...hnsw, m: 513 }, 'maxConn must be positive and less than or equal to512; maxConn=513');
  refusedGraph({ ...hnsw, m: 0 }, 'maxConn must be positive and less than or equal to512; maxConn=0');
  const beam = 'beamWidth must be positive and less than or equal to3200; beamWidth=';
  refusedGraph({ ...hnsw, ef_construction: 0 }, `${beam}0`);
  refusedGraph({ ...hnsw, ef_construction: 4000 }, `${beam}4000`);
  const interval = 'confidenceInterval must be between 0.9 and 1.0; confidenceInterval=';
  refusedGraph({ type: 'int8_hnsw', confidence_interval: 0.5 }, `${interval}0.5`);
  refusedGraph({ type: 'int8_hnsw', confidence_interval: 1.5 }, `${interval}1.5`);
});

test('options of graphs that their type does not have are refused', () =>
  refusesDefinitions([
    [
      { type: 'dense_vector', dims: 2, index_options: { type: 'hnsw', confidence_interval: 0.9 } },
      'mapper_parsing_exception: Mapping definition for [f] has unsupported parameters:  [confidence_interval : 0.9]',
    ],
    [
      { type: 'dense_vector', dims: 2, index_options: { type: 'int8_hnsw', confidence_interval: 'x' } },
      'number_format_exception: For input string: "x"',
    ],
    [
      { type: 'dense_vector', dims: 2, element_type: 'byte', index_options: { type: 'int8_hnsw' } },
      'illegal_argument_exception: [element_type] cannot be [byte] when using index type [int8_hnsw]',
    ],
  ]));

test('vectors that are too small or too large to be compared are refused', () => {
  const zero = 'illegal_argument_exception: The [cosine] similarity does not support vectors with zero magnitude. ';
  const extreme =
    'illegal_argument_exception: NaN or Infinite magnitude detected, this usually means the vector values are too ' +
    'extreme to fit within a float. ';
  vector.refuses([
    [[1e-40, 1e-40, 0], `${zero}Preview of invalid vector: [1.0E-40, 1.0E-40, 0.0]`],
    [[1e-23, 1e-23, 0], `${zero}Preview of invalid vector: [1.0E-23, 1.0E-23, 0.0]`],
    [[3e38, 3e38, 0], `${extreme}Preview of invalid vector: [3.0E38, 3.0E38, 0.0]`],
  ]);
  const byte = 'illegal_argument_exception: element_type [byte] vectors only support ';
  bytes.refuses([
    [[1e40, 1], `${byte}non-decimal values but found decimal value [Infinity] at dim [0];`],
    [[9_999_999_999, 1], `${byte}integers between [-128, 127] but found [2147483647] at dim [0];`],
  ]);
  fieldTable({ type: 'dense_vector', dims: 5 }).refuses([
    [[0, 0, 0, 0, 0], `${zero}Preview of invalid vector: [0.0, 0.0, 0.0, 0.0, 0.0, ...]`],
  ]);
});

test('vectors that are not indexed may be of any length', () =>
  fieldTable({ type: 'dense_vector', dims: 2, index: false }).indexes([
    [[3e38, 3e38], { f: ['e6b1617fe6b1617f0000807f'] }],
  ]));

test('a similarity of null is the default one', () =>
  fieldTable({ type: 'dense_vector', dims: 3, similarity: null }).refuses([
    [
      [0, 0, 0],
      'illegal_argument_exception: The [cosine] similarity does not support vectors with zero magnitude. ' +
        'Preview of invalid vector: [0.0, 0.0, 0.0]',
    ],
  ]));
