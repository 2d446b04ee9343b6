import { test } from 'node:test';
import { processorTable } from '../testing/pipeline-table.js';

test('urldecode decodes texts of URLs', () =>
  processorTable('urldecode', [
    [{ field: 'a' }, '{"a":"a+b%20c%C3%A9"}', '{"a":"a b cé"}'],
    [
      { field: 'a' },
      '{"a":"%zz"}',
      'illegal_argument_exception: URLDecoder: the field [a] has an escape (%) that is malformed',
    ],
    [
      { field: 'a' },
      '{"a":"%zz"}',
      'illegal_argument_exception: URLDecoder: the field [a] has an escape (%) that is malformed',
    ],
  ]));
