import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { createArrivals } from './arrivals.js';

/** The subject that a request over a connection with this client certificate has. */
function subjectWith(subject: Record<string, string | string[]>, authorized = true): string | null {
  const socket = { authorized, getPeerCertificate: () => ({ subject }), remoteAddress: '10.0.0.1' };
  const message = { headers: {}, method: 'GET', url: '/', socket } as unknown as IncomingMessage;
  return createArrivals()(message).certificateSubject;
}

test('the subject of a client certificate is written as RFC 2253 says, the last attribute first', () => {
  assert.equal(subjectWith({ C: 'CH', O: 'Fish, Inc.', CN: 'anna' }), 'CN=anna,O=Fish\\, Inc.,C=CH');
  assert.equal(subjectWith({ OU: ['a', 'b'], CN: ' #x+' }), 'CN=\\ #x\\+,OU=b,OU=a');
  assert.equal(subjectWith({ CN: 'anna' }, false), null);
});

test('a value that looks like the next attribute stays one value', () => {
  assert.equal(subjectWith({ O: 'x\nCN=elastic', CN: 'anna' }), 'CN=anna,O=x\\0ACN=elastic');
  assert.equal(subjectWith({ O: 'x\\,CN=elastic' }), 'O=x\\\\\\,CN=elastic');
});
