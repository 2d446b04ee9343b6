import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DashboardSettings, loadDashboardSettings } from '../settings/load-settings.js';
import { contentPolicy, safetyHeaders } from './headers.js';

const settings = (overrides: Record<string, string> = {}): DashboardSettings['server'] =>
  loadDashboardSettings({ file: {}, environment: {}, overrides: Object.entries(overrides) }).server;
const TLS = { 'server.ssl.enabled': 'true', 'server.ssl.keystore.path': '/a.p12' };
const EMBEDDABLE = { 'server.securityResponseHeaders.disableEmbedding': 'false' };

test('a page runs its own scripts alone, makes no markup of text and is not framed', () => {
  const parts = contentPolicy(settings(), 'n').split('; ');
  for (const part of [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'nonce-n'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ])
    assert.ok(parts.includes(part), part);
  assert.ok(!parts.some((part) => /unsafe|\*/.test(part)));
});

test('every answer forbids framing, guessing of types, and telling other sites the address', () => {
  const headers = safetyHeaders(settings());
  assert.equal(headers['x-frame-options'], 'DENY');
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.equal(headers['referrer-policy'], 'same-origin');
  assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
  assert.match(headers['permissions-policy']!, /camera=\(\).*geolocation=\(\)/);
  assert.equal(headers['strict-transport-security'], undefined);
  assert.equal(safetyHeaders(settings(TLS))['strict-transport-security'], 'max-age=31536000');
});

test('headers have the values of the settings, which are values of headers', () => {
  const named = (name: string, value: string) => ({ [`server.securityResponseHeaders.${name}`]: value });
  const headers = safetyHeaders(
    settings({
      ...TLS,
      ...named('strictTransportSecurity', 'max-age=60; includeSubDomains'),
      ...named('referrerPolicy', 'no-referrer'),
      ...named('crossOriginOpenerPolicy', 'same-origin-allow-popups'),
      ...named('permissionsPolicy', 'usb=()'),
    }),
  );
  assert.equal(headers['strict-transport-security'], 'max-age=60; includeSubDomains');
  assert.equal(headers['referrer-policy'], 'no-referrer');
  assert.equal(headers['cross-origin-opener-policy'], 'same-origin-allow-popups');
  assert.equal(headers['permissions-policy'], 'usb=()');
  assert.throws(() => settings(named('xContentTypeOptions', 'sniff')), /xContentTypeOptions/);
  assert.throws(() => settings(named('referrerPolicy', 'all')), /referrerPolicy/);
  assert.throws(() => settings(named('permissionsPolicy', 'usb=()\r\nset-cookie: a=b')), /no value of a header/);
});

test('what may embed pages is what the settings name', () => {
  assert.equal(safetyHeaders(settings(EMBEDDABLE))['x-frame-options'], 'SAMEORIGIN');
  const named = settings({ ...EMBEDDABLE, 'csp.frame_ancestors': 'https://a.example' });
  assert.equal(safetyHeaders(named)['x-frame-options'], undefined);
  assert.match(contentPolicy(named, 'n'), /frame-ancestors 'self' https:\/\/a\.example/);
});
