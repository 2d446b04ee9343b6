import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { S3Client } from './s3-clients.js';
import { shareClients, sharedClients } from './shared-clients.js';

const client = (accessKey: string): S3Client =>
  ({ keys: { accessKey, secretKey: 's', sessionToken: null }, endpoint: 'http://127.0.0.1:1' }) as unknown as S3Client;

test('each reader has the clients that were shared last, and the same object until then', () => {
  const shared = shareClients({ default: client('first') });
  const readers = [sharedClients(shared.memory), sharedClients(shared.memory)];
  for (const read of readers) assert.deepEqual(read(), { default: client('first') });
  assert.equal(readers[0]!(), readers[0]!());
  shared.replace({ default: client('ä second key that is longer'), other: client('x') });
  for (const read of readers) assert.deepEqual(Object.keys(read()), ['default', 'other']);
  assert.equal(readers[0]!()['default']!.keys!.accessKey, 'ä second key that is longer');
  shared.replace({ default: client('third') });
  assert.deepEqual(readers[1]!(), { default: client('third') });
});

test('clients that are too long are refused, and the others stay', () => {
  const shared = shareClients({ default: client('first') });
  assert.throws(() => shared.replace({ default: client('x'.repeat(1 << 19)) }), /bytes of settings/);
  assert.deepEqual(sharedClients(shared.memory)(), { default: client('first') });
});
