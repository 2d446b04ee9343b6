import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodePart, queryString, sha256, signedHeaders } from './signature.js';

const keys = {
  accessKey: 'AKIAIOSFODNN7EXAMPLE',
  secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  sessionToken: null,
};
const request = {
  path: '/',
  query: {},
  headers: { host: 'examplebucket.s3.amazonaws.com' },
  bodyHash: sha256(''),
  region: 'us-east-1',
  keys,
  nowMs: Date.parse('2013-05-24T00:00:00Z'),
};
const signatureOf = ({ authorization }: Record<string, string>): string => authorization!.split('Signature=')[1]!;

test('requests are signed as in the examples of the specification', () => {
  const headers = { ...request.headers, range: 'bytes=0-9' };
  assert.equal(
    signatureOf(signedHeaders({ ...request, method: 'GET', path: '/test.txt', headers })),
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  );
  assert.equal(
    signatureOf(signedHeaders({ ...request, method: 'GET', query: { lifecycle: '' } })),
    'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  );
  assert.equal(
    signatureOf(signedHeaders({ ...request, method: 'GET', query: { prefix: 'J', 'max-keys': '2' } })),
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  );
});

test('the token of temporary keys is signed too', () => {
  const headers = signedHeaders({ ...request, method: 'GET', keys: { ...keys, sessionToken: 'token' } });
  assert.equal(headers['x-amz-security-token'], 'token');
  assert.match(headers['authorization']!, /SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token,/);
});

test('paths and queries are encoded as AWS does', () => {
  assert.equal(encodePart("a b+c/(d)*'!~é"), 'a%20b%2Bc%2F%28d%29%2A%27%21~%C3%A9');
  assert.equal(queryString({ b: 'x y', a: '', 'list-type': '2' }), 'a=&b=x%20y&list-type=2');
});
