import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CorsSettings, createCors } from './cors.js';

const SETTINGS: CorsSettings = {
  allowOrigin: 'http://a.example, http://b.example',
  allowMethods: ['GET', 'POST'],
  allowHeaders: ['Content-Type'],
  exposeHeaders: ['X-elastic-product'],
  allowCredentials: false,
  maxAgeSeconds: 60,
};

test('a preflight from an allowed origin learns methods, headers and how long it holds', () => {
  const cors = createCors(SETTINGS);
  assert.deepEqual(cors.intercept('OPTIONS', { origin: 'http://b.example', 'access-control-request-method': 'POST' }), {
    status: 200,
    empty: true,
    headers: {
      'access-control-allow-origin': 'http://b.example',
      vary: 'origin',
      'access-control-allow-methods': 'GET,POST',
      'access-control-allow-headers': 'Content-Type',
      'access-control-max-age': '60',
    },
  });
  assert.equal(
    cors.intercept('OPTIONS', { origin: 'http://c.example', 'access-control-request-method': 'POST' })?.status,
    403,
  );
});

test('requests of other origins are forbidden, those without origin or of the server itself are not', () => {
  const cors = createCors(SETTINGS);
  assert.equal(cors.intercept('GET', { origin: 'http://c.example', host: 'h:9200' })?.status, 403);
  assert.equal(cors.intercept('GET', { origin: 'http://h:9200', host: 'h:9200' }), null);
  assert.equal(cors.intercept('GET', { host: 'h:9200' }), null);
  assert.equal(cors.intercept('GET', { origin: 'http://a.example' }), null);
  assert.deepEqual(cors.headers({ origin: 'http://a.example' }), {
    'access-control-allow-origin': 'http://a.example',
    vary: 'origin',
    'access-control-expose-headers': 'X-elastic-product',
  });
  assert.deepEqual(cors.headers({}), {});
});

test('any origin is shown as a star unless credentials are allowed, and a pattern matches the whole origin', () => {
  assert.equal(
    createCors({ ...SETTINGS, allowOrigin: '*' }).headers({ origin: 'http://x' })['access-control-allow-origin'],
    '*',
  );
  const named = createCors({ ...SETTINGS, allowOrigin: '*', allowCredentials: true }).headers({ origin: 'http://x' });
  assert.equal(named['access-control-allow-origin'], 'http://x');
  assert.equal(named['access-control-allow-credentials'], 'true');
  const pattern = createCors({ ...SETTINGS, allowOrigin: '/https?:\\/\\/localhost(:[0-9]+)?/' });
  assert.equal(pattern.intercept('GET', { origin: 'http://localhost:5601' }), null);
  assert.equal(pattern.intercept('GET', { origin: 'http://localhost:5601.evil' })?.status, 403);
});
