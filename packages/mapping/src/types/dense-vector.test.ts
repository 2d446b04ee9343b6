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
