import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Authentication, EVERYBODY, type Subject } from '@shoal/security';
import { makerOf } from './open-ml.js';

const MAKER = { user: { username: 'u', roles: [] } } as unknown as Authentication;
const SUBJECT = {} as Subject;

test('what was made while security was off runs with all rights only as long as it is', () => {
  const subjectOf = (): Subject => SUBJECT;
  assert.equal(makerOf(null)(null, 'datafeed [f]'), EVERYBODY);
  assert.equal(makerOf(null)(MAKER, 'datafeed [f]'), EVERYBODY);
  assert.equal(makerOf({ subjectOf })(MAKER, 'datafeed [f]'), SUBJECT);
  assert.throws(() => makerOf({ subjectOf })(null, 'datafeed [f]'), {
    type: 'security_exception',
    status: 403,
    reason: /^datafeed \[f\] was made without authentication and cannot run: update it/,
  });
});
