import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { errors } from '@shoal/errors';
import { decompress } from './body-reader.js';

const ZEROS = gzipSync(Buffer.alloc(1_000_000));

test('a compressed body is charged as it unpacks, and given up where there is no room', async () => {
  let charged = 0;
  const bytes = await decompress(ZEROS, 1_000_000, (count) => void (charged += count));
  assert.deepEqual([bytes?.length, charged], [1_000_000, 1_000_000]);
  const room = (count: number): void => {
    charged += count;
    if (charged > 200_000) throw errors.circuitBreaking('no room');
  };
  charged = 0;
  await assert.rejects(decompress(ZEROS, 1_000_000, room), { type: 'circuit_breaking_exception' });
  assert.ok(charged < 400_000, `${charged} bytes were unpacked`);
});

test('a body that unpacks to more than may be is too large, one that does not unpack is refused', async () => {
  assert.equal(await decompress(ZEROS, 999_999, () => undefined), null);
  await assert.rejects(decompress(Buffer.from('nothing'), 100, () => undefined), { status: 400, message: /failed to decompress the request body/ });
});
