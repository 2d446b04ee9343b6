import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRestricted, mayBeRestricted } from './restricted-names.js';

test('what people save in the dashboard and their sessions are restricted', () => {
  for (const name of ['.security-7', '.shoal-dashboards', '.shoal-dashboards-sessions', '.quarantine-logs'])
    assert.ok(isRestricted(name), name);
  for (const name of ['shoal-dashboards', 'logs', '.logs']) assert.ok(!isRestricted(name), name);
});

test('a pattern may match a restricted name if one begins like it', () => {
  for (const pattern of ['*', '.shoal-*', '.shoal-dashboards-sess*']) assert.ok(mayBeRestricted(pattern), pattern);
  assert.ok(!mayBeRestricted('logs*'));
});
