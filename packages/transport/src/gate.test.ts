import assert from 'node:assert/strict';
import test from 'node:test';
import type { PeerCertificate, TLSSocket } from 'node:tls';
import { refusalOf } from './gate.js';

function shaken(authorized: boolean, certificate: Record<string, unknown>): Parameters<typeof refusalOf>[0] {
  const getPeerCertificate = (() => certificate as unknown as PeerCertificate) as TLSSocket['getPeerCertificate'];
  return { authorized, authorizationError: new Error('no such authority'), getPeerCertificate };
}

const SHOWN = { subject: { CN: 'node' }, fingerprint256: 'AB:CD' };

test(
  'where certificates are required, who shows none is refused, even ' +
    'if the crypto library takes its resumed session',
  () => {
    assert.equal(refusalOf(shaken(true, {}), 'required'), 'the client did not provide a certificate');
    assert.equal(refusalOf(shaken(false, {}), 'required'), 'the client did not provide a certificate');
    assert.equal(refusalOf(shaken(false, {}), 'optional'), null);
  },
);

test('a certificate that is shown has to be trusted, unless nobody asks for one', () => {
  assert.equal(refusalOf(shaken(true, SHOWN), 'required'), null);
  for (const authentication of ['required', 'optional'] as const)
    assert.match(
      refusalOf(shaken(false, SHOWN), authentication)!,
      /subject name \[CN=node\] and fingerprint \[AB:CD\] that is not trusted here/,
    );
  assert.equal(refusalOf(shaken(false, SHOWN), 'none'), null);
});
