import assert from 'node:assert/strict';
import { test } from 'node:test';
import { certificateCauses } from './certificate-causes.js';

const now = Date.parse('2026-11-21T12:00:00Z');
const ending = (expiry: string) => ({ path: 'certs/http.crt', subject_dn: 'CN=a', expiry });

test('a certificate is a warning from thirty days before its end on, and expired it blocks', () => {
  const causes = certificateCauses(
    'n1',
    ['2026-12-22T12:00:00.000Z', '2026-12-21T12:00:00.000Z', '2026-11-21T11:00:00.000Z'].map(ending),
    now,
  );
  assert.deepEqual(
    causes.map(({ severity, about, why }) => [severity, about, why]),
    [
      [
        'warning',
        'node n1',
        'the certificate [CN=a] expires in 30 days: then clients and nodes refuse connections with it',
      ],
      ['blocked', 'node n1', 'the certificate [CN=a] has expired: clients and nodes refuse connections with it'],
    ],
  );
  assert.deepEqual(causes[0]!.evidence, ['[certs/http.crt] is valid until 2026-12-21T12:00:00.000Z']);
});
