import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isMissingCall } from './missing-call.js';

/** Answers of Elasticsearch 8.12.0 without its modules, and of calls that it has. */
const ANSWERS: readonly (readonly [status: number, reason: string, isMissing: boolean])[] = [
  [400, 'no handler found for uri [/_snapshot/a/b/_mount] and method [POST]', true],
  [400, "Invalid index name [_data_stream], must not start with '_', '-', or '+'", true],
  [405, 'Incorrect HTTP method for uri [/_ilm/policy] and method [GET], allowed: [POST]', true],
  [400, 'unknown query [nope]', false],
  [404, 'no such index [a]', false],
  [200, '', false],
];

for (const [status, reason, isMissing] of ANSWERS)
  test(`${status} ${reason} ${isMissing ? 'is' : 'is no'} missing call`, () =>
    assert.equal(isMissingCall({ status, text: JSON.stringify({ error: { reason } }) }), isMissing));
