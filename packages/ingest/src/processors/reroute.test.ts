import { test } from 'node:test';
import { processorTable } from '../testing/pipeline-table.js';

test('reroute sends documents elsewhere', () =>
  processorTable('reroute', [
    [
      { dataset: '{{svc}}' },
      '{"svc":"My-App"}',
      'illegal_argument_exception: invalid data stream name: [logs]; must follow naming scheme <type>-<data' +
        'set>-<namespace>',
    ],
    [{ destination: 'other' }, '{"a":1}', '{"a":1,"_index":"other"}'],
  ]));
