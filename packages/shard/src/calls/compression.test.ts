import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { fileCompression } from './compression.js';

test('what was packed is unpacked, whatever its size and however well it packs', async () => {
  for (const size of [0, 1, 16_384, 16_448, 70_000, 20 << 20]) {
    const content = Buffer.from(new Uint8Array(size).map((_, i) => (i * 2_654_435_761) >>> 24));
    const plain = Buffer.alloc(size, 7);
    for (const bytes of [content, plain]) {
      const back = await fileCompression.unpack(await fileCompression.pack(bytes));
      assert.ok(Buffer.from(back).equals(bytes), `${size} bytes`);
    }
  }
});

test('a file of an earlier build is unpacked', async () => {
  const content = Buffer.alloc(100_000, 'log line ');
  assert.deepEqual(await fileCompression.unpack(gzipSync(content)), content);
});

test('a file that is cut, or claims another length than it has, is refused', async () => {
  const content = Buffer.alloc(100_000, 7);
  const brotli = Buffer.from(await fileCompression.pack(content));
  const gzip = gzipSync(content);
  for (const [packed, lengthAt] of [
    [brotli, 1],
    [gzip, gzip.length - 4],
  ] as const) {
    for (const length of [0, 3, 20, packed.length - 1])
      await assert.rejects(fileCompression.unpack(packed.subarray(0, length)));
    for (const claimed of [0, 5, 2 ** 32 - 1]) {
      const damaged = Buffer.from(packed);
      damaged.writeUInt32LE(claimed, lengthAt);
      await assert.rejects(fileCompression.unpack(damaged));
    }
  }
});
