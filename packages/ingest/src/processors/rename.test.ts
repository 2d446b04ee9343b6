import { test } from 'node:test';
import { processorTable } from '../testing/pipeline-table.js';

const IAE = 'illegal_argument_exception:';

test('rename moves a value, also out of a list', () =>
  processorTable('rename', [
    [{ field: 'a', target_field: 'b.c' }, '{"a":1}', '{"b":{"c":1}}'],
    [{ field: 'a.1', target_field: 'z' }, '{"a":[0,1]}', '{"a":[0],"z":1}'],
    [{ field: 'a', target_field: 'b', override: true }, '{"a":1,"b":2}', '{"b":1}'],
    [{ field: '{{x}}', target_field: '{{x}}2' }, '{"x":"a","a":1}', '{"x":"a","a2":1}'],
    [{ field: 'a', target_field: 'b', ignore_missing: true }, '{}', '{}'],
    [{ field: '{{no}}', target_field: 'b', ignore_missing: true }, '{}', '{}'],
  ]));

test('rename refuses what is missing or in the way, and leaves the document as it was', () =>
  processorTable('rename', [
    [{ field: 'a', target_field: 'b' }, '{"b":1}', `${IAE} field [a] doesn't exist`],
    [{ field: '{{no}}', target_field: 'b' }, '{}', `${IAE} field path cannot be null nor empty`],
    [{ field: 'a', target_field: 'b' }, '{"a":1,"b":1}', `${IAE} field [b] already exists`],
    [
      { field: 'a.1', target_field: 'b' },
      '{"a":[0]}',
      `${IAE} [1] is out of bounds for array with length [1] as part of path [a.1]`,
    ],
    [
      { field: 'a', target_field: 'b.c', on_failure: [{ set: { field: 'kept', value: '{{a}}' } }] },
      '{"a":1,"b":"x"}',
      '{"b":"x","a":1,"kept":"1"}',
    ],
  ]));
