import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isApiError } from '@shoal/errors';
import type { Route } from '../routing/route.js';
import { refuseForeignChange } from './foreign-origin.js';

/** The status by which a call of an action is refused; null if it goes on. */
function refusal(privilege: string, headers: { origin?: string; host?: string }): number | null {
  try {
    refuseForeignChange({ privilege } as Route<never>, headers);
    return null;
  } catch (error) {
    if (isApiError(error)) return error.status;
    throw error;
  }
}

const CHANGE = 'indices:admin/close';

test('a change that a page of another origin asks for is refused, however the origin is written', () => {
  const host = 'localhost:9200';
  for (const origin of [
    'http://evil.example',
    'https://evil.example:9200',
    'http://localhost:9201',
    'http://localhost',
    'http://localhost:9200.evil.example',
    'http://evil.example/http://localhost:9200',
    'http://http://localhost:9200',
    'null',
    '',
  ])
    assert.equal(refusal(CHANGE, { origin, host }), 403, `[${origin}]`);
  assert.equal(refusal(CHANGE, { origin: 'http://', host: '' }), 403);
  assert.equal(refusal(CHANGE, { origin: 'http://localhost:9200' }), 403);
});

test('changes without an origin or of the own one go on, as reading calls of any origin do', () => {
  const host = 'localhost:9200';
  assert.equal(refusal(CHANGE, { host }), null);
  assert.equal(refusal(CHANGE, { origin: 'http://localhost:9200', host }), null);
  assert.equal(refusal(CHANGE, { origin: 'https://localhost:9200', host }), null);
  for (const privilege of ['indices:data/read/search', 'cluster:monitor/health', 'indices:admin/analyze'])
    assert.equal(refusal(privilege, { origin: 'http://evil.example', host }), null, privilege);
});

test('an action that is not known to read counts as a change', () => {
  const headers = { origin: 'http://evil.example', host: 'localhost:9200' };
  for (const privilege of ['indices:data/write/bulk', 'cluster:admin/reroute', 'indices:admin/some_day'])
    assert.equal(refusal(privilege, headers), 403, privilege);
});
