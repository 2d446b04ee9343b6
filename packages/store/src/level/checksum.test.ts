import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { checksumOf } from './checksum.js';

test('the checksum is that of zlib over key and content, however long they are', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 20 }), fc.uint8Array({ maxLength: 600, size: 'max' }), (key, content) => {
      assert.equal(checksumOf(key, content), crc32(Buffer.concat([key, content])));
    }),
  );
});
