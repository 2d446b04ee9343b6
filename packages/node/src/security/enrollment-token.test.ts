import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseEnrollmentToken, renderEnrollmentToken } from './enrollment-token.js';

test('a token says where the cluster is, how to know it and how to log in', () => {
  const token = { addresses: ['10.0.0.1:9200', '[::1]:9200'], fingerprint: 'ab'.repeat(32), key: 'id:secret' };
  assert.deepEqual(parseEnrollmentToken(`${renderEnrollmentToken(token)}\n`), token);
});

test('what is no token is refused with a sentence', () => {
  for (const text of [
    '',
    'junk',
    Buffer.from('{}').toString('base64'),
    Buffer.from('null').toString('base64'),
    Buffer.from('{"adr":["a"],"fgr":"x","key":"a:b"}').toString('base64'),
  ]) {
    assert.throws(() => parseEnrollmentToken(text), /the enrolment token is not one/);
  }
});
