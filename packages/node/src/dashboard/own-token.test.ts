import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '@shoal/doors';
import type { Arrival, Authentication, Subject } from '@shoal/security';
import { makeOwnToken } from './own-token.js';

const REST = { authentication: null } as unknown as Subject;
const security = {
  admit: () => REST,
  subjectOf: (authentication: Authentication) => ({ authentication }) as unknown as Subject,
};
const arrival = (headers: Arrival['headers']): Arrival => ({
  headers,
  method: 'GET',
  uri: '/',
  remoteAddress: '127.0.0.1',
  certificateSubject: null,
});

test('the token of the dashboard inside a node is elastic/kibana, and every other header goes on', async () => {
  const token = makeOwnToken(seededRandom(1));
  const admit = token.admits(security);
  const own = await admit(arrival({ authorization: `Bearer ${token.text}` }));
  assert.equal(own.authentication?.serviceAccount, 'elastic/kibana');
  for (const headers of [
    {},
    { authorization: 'Bearer ' },
    { authorization: `Bearer ${makeOwnToken(seededRandom(2)).text}` },
    { authorization: `Bearer ${token.text}x` },
    { authorization: `bearer${token.text} ` },
    { authorization: `Bearer ${token.text.slice(1)}é` },
    { authorization: [`Bearer ${token.text}`] },
    { authorization: `Bearer ${token.text}`, 'es-security-runas-user': 'elastic' },
  ])
    assert.equal(await admit(arrival(headers)), REST, JSON.stringify(headers));
});
