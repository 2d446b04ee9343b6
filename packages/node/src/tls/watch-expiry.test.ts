import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeClock, silentLog } from '@shoal/doors';
import { issueCertificate, makeAuthority } from '../certificates/make-certificate.js';
import type { KeyMaterial } from './key-material.js';
import type { LayerTls } from './node-tls.js';
import { watchExpiry } from './watch-expiry.js';

const DAY_MS = 86_400_000;

/** Opens HTTP with a certificate that is valid for `days`, and returns what is logged of it. */
function opened(days: number) {
  const clock = fakeClock();
  const lines: string[] = [];
  const authority = makeAuthority({ name: 'authority', hosts: [], days: 3_000, nowMs: clock.now() });
  const lasting = (own: number): KeyMaterial => {
    const { key, certificate } = issueCertificate(
      authority,
      {
        name: 'search',
        hosts: ['localhost'],
        days: own,
        nowMs: clock.now(),
      },
      'link',
    );
    return { key, certificate, authorities: [authority.certificate] };
  };
  let material = lasting(days);
  const listeners: (() => void)[] = [];
  const tls = {
    settings: { layer: 'http', identity: { certificate: 'http.crt' }, trust: ['ca.crt'] },
    material: () => material,
    onChange: (listener: () => void) => void listeners.push(listener),
  } as unknown as LayerTls;
  const log = {
    ...silentLog,
    write: (level: string, message: string, fields: Readonly<Record<string, unknown>> = {}) =>
      void lines.push(
        `${level} ${message} ${String(fields['x509.subject'])} ${String(fields['shoal.tls.days_left'] ?? '')}`.trim(),
      ),
  };
  const watch = watchExpiry([tls], { clock, log });
  const renew = (own: number): void => {
    material = lasting(own);
    for (const listener of listeners) listener();
  };
  return { clock, lines, renew, watch };
}

test(
  'a certificate is told of at the start and each day of its last ' + 'thirty, and as an error when it has expired',
  () => {
    const { clock, lines, watch } = opened(31);
    clock.advance(0);
    assert.deepEqual(lines, []);
    clock.advance(2 * DAY_MS);
    assert.deepEqual(lines, [
      'warn a certificate expires soon CN=search 30',
      'warn a certificate expires soon CN=search 29',
    ]);
    clock.advance(30 * DAY_MS);
    assert.equal(lines.at(-1), 'error a certificate has expired: connections with it are refused CN=search');
    watch.close();
  },
);

test('a certificate that replaces one that expires soon is told of only if it expires soon as well', () => {
  const { clock, lines, renew, watch } = opened(10);
  clock.advance(0);
  assert.deepEqual(lines, ['warn a certificate expires soon CN=search 10']);
  renew(5);
  assert.deepEqual(lines.slice(1), ['warn a certificate expires soon CN=search 5']);
  renew(400);
  clock.advance(DAY_MS);
  assert.equal(lines.length, 2);
  watch.close();
});
