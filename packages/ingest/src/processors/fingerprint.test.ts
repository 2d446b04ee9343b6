import { test } from 'node:test';
import { processorTable } from '../testing/pipeline-table.js';

const hashed = (fields: string, fingerprint: string): string => `{${fields},"fingerprint":"${fingerprint}"}`;
const user = '"user":{"last_name":"Smith","first_name":"John","date_of_birth":"1980-01-15","is_active":true}';
const numbers = '"a":[1099511627776,2.5,3.0,null,false]';

test('fingerprint hashes what Elasticsearch hashes', () =>
  processorTable('fingerprint', [
    [{ fields: ['user'] }, `{${user}}`, hashed(user, 'WbSUPW4zY1PBPehh2AA/sSxiRjw=')],
    [{ fields: ['b', 'a'] }, '{"a":1,"b":{"x":[1]}}', hashed('"a":1,"b":{"x":[1]}', '6rX/yA71N24DO9O2qLcJRLzT2Bs=')],
    [{ fields: ['a'], salt: 's' }, `{${numbers}}`, hashed(numbers, '9cHVnHlHX83qgSm/Z53cRMXHDbQ=')],
    [
      { fields: ['a', 'zz'], method: 'MurmurHash3', ignore_missing: true },
      '{"a":"The quick brown fox"}',
      hashed('"a":"The quick brown fox"', 'Zb/r4/a4FZuPmyvbce0pVQ=='),
    ],
    [{ fields: ['a', 'b'], ignore_missing: true }, '{"a":null}', '{"a":null}'],
    [
      { fields: ['b', 'a'], method: 'zz' },
      '{"a":1}',
      'parse_exception: [method] [zz] must be one of the supported hash methods ' +
        '[MD5,SHA-1,SHA-256,SHA-512,MurmurHash3]',
    ],
    [{ fields: ['b'] }, '{"a":1}', 'illegal_argument_exception: missing field [b] when calculating fingerprint'],
    [
      { fields: ['d', 'b', 'c'] },
      '{"b":1}',
      'illegal_argument_exception: missing field [d] when calculating fingerprint',
    ],
    [{ fields: [] }, '{}', 'parse_exception: [fields] must specify at least one field'],
    [{ fields: [''] }, '{}', 'illegal_argument_exception: path cannot be null nor empty'],
    // A salt of blanks is none.
    [{ fields: ['user'], salt: '  ' }, `{${user}}`, hashed(user, 'WbSUPW4zY1PBPehh2AA/sSxiRjw=')],
    [{ fields: ['b'] }, '{"b":null}', 'illegal_argument_exception: missing field [b] when calculating fingerprint'],
    [
      { fields: ['b'] },
      '{"b":123456789012345678901234567890}',
      'illegal_argument_exception: cannot convert object of type [java.math.BigInteger] to bytes',
    ],
  ]));
