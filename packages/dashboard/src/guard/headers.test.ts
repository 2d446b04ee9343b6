import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DashboardSettings } from '../settings/load-settings.js';
import { contentPolicy, safetyHeaders } from './headers.js';

const PLAIN = { policy: { img: [], connect: [], frames: [] }, isEmbeddable: false, tls: null, customHeaders: {} };
type Server = DashboardSettings['server'];
const settings = (changed: object = {}): Server => ({ ...PLAIN, ...changed }) as unknown as Server;

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
  assert.equal(safetyHeaders(settings({ tls: {} }))['strict-transport-security'], 'max-age=31536000');
});

test('what may embed pages is what the settings name', () => {
  assert.equal(safetyHeaders(settings({ isEmbeddable: true }))['x-frame-options'], 'SAMEORIGIN');
  const named = settings({ isEmbeddable: true, policy: { ...PLAIN.policy, frames: ['https://a.example'] } });
  assert.equal(safetyHeaders(named)['x-frame-options'], undefined);
  assert.match(contentPolicy(named, 'n'), /frame-ancestors 'self' https:\/\/a\.example/);
});
