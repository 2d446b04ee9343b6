import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHostCheck } from './allowed-hosts.js';

test('addresses, names without a dot and names of private networks are answered', () => {
  const check = createHostCheck([]);
  const hosts = [
    '127.0.0.1:9200',
    '[::1]:9200',
    '[::1]',
    '10.0.0.7',
    'localhost:9200',
    'LOCALHOST.',
    'es01:9200',
    'shoal',
    'a.localhost:9200',
    'host.docker.internal:9200',
    'shoal.default.svc.cluster.local:9200',
    'shoal.default.svc',
  ];
  for (const host of hosts) assert.equal(check(host), true, host);
  assert.equal(check(undefined), true);
});

test('a name that a page can let point to this machine is not answered, however it is written', () => {
  const check = createHostCheck([]);
  const hosts = [
    'evil.example',
    'evil.example:9200',
    'EVIL.example.',
    '127.0.0.1.evil.example',
    '127.0.0.1.nip.io:9200',
    'localhost.evil.example',
    'x@evil.example',
    'localhost:9200.evil.example',
    '[::1].evil.example',
    '[evil.example]',
    '127.0.0.1:9200:evil.example',
    'internal.evil',
    '127.1.evil.example:80',
  ];
  for (const host of hosts) assert.equal(check(host), false, host);
});

test('names of the node and of its configuration are answered, with stars', () => {
  const check = createHostCheck(['Search.example.org', '*.shop.example']);
  assert.equal(check('search.example.org:9200'), true);
  assert.equal(check('a.shop.example'), true);
  assert.equal(check('shop.example'), false);
  assert.equal(check('evilshop.example'), false);
  assert.equal(createHostCheck(['*'])('evil.example'), true);
});
