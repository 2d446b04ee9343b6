import { test } from 'node:test';
import { processorTable } from '../testing/pipeline-table.js';

test('fingerprint digests fields', () =>
  processorTable('fingerprint', [
    [
      { fields: ['b', 'a'] },
      '{"a":1,"b":{"x":[1]}}',
      '{"a":1,"b":{"x":[1]},"fingerprint":"kT4t6Du2+Pqaolk811UaD8LrnKs="}',
    ],
    [
      { fields: ['b', 'a'], method: 'zz' },
      '{"a":1}',
      'parse_exception: [method] [zz] must be one of the supported hash methods [MD5, SHA-1, SHA-256, SHA-512]',
    ],
    [{ fields: ['b'] }, '{"a":1}', 'illegal_argument_exception: missing field [b] when calculating fingerprint'],
  ]));
