import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestLine } from './request-line.js';

test('a line tells method, route, status and time of a request, never its query', () => {
  assert.deepEqual(requestLine('GET', '/app/discover?q=secret&i=logs', 200, 5), {
    'http.request.method': 'GET',
    'url.path': '/app/discover',
    'http.response.status_code': 200,
    'event.duration': 5,
  });
});
