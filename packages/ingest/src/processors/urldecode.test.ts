import { test } from 'node:test';
import { processorTable } from '../testing/pipeline-table.js';

test('urldecode decodes texts of URLs', () =>
  processorTable('urldecode', [
    [{ field: 'a' }, '{"a":"a+b%20c%C3%A9"}', '{"a":"a b cé"}'],
    [
      { field: 'a' },
      '{"a":"%zz"}',
      'illegal_argument_exception: URLDecoder: Illegal hex characters in escape (%) pattern - ' +
        'Error at index 0 in: "zz"',
    ],
    [{ field: 'a' }, '{"a":"b%a"}', 'illegal_argument_exception: URLDecoder: Incomplete trailing escape (%) pattern'],
  ]));
