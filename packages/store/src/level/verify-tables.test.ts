import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import { seededRandom } from '@shoal/doors';
import { crcOf, crcTables, POLYNOMIAL } from './crc.kernel.js';
import { levelStores } from './level-stores.js';
import { nodeFiles } from '../node/node-files.js';
import { verifyTables } from './verify-tables.js';

const FOOTER_BYTES = 48;

test('CRC-32C has the check value of its definition, at every alignment', () => {
  const tables = crcTables(POLYNOMIAL.crc32c);
  const text = Buffer.from('123456789');
  assert.equal(crcOf(tables, text, 0, text.length), 0xe3069283);
  const padded = Buffer.from('xxx123456789yy');
  assert.equal(crcOf(tables, padded, 3, 12), 0xe3069283);
});

test('the other polynomial is that of zlib, at every length', () => {
  const tables = crcTables(POLYNOMIAL.crc32);
  const bytes = seededRandom(5).bytes(600);
  for (let to = 3; to <= bytes.length; to++) assert.equal(crcOf(tables, bytes, 3, to), crc32(bytes.subarray(3, to)));
});

/** A LevelDB of several table files with compressed and incompressible blocks. */
async function filledStore(folder: string): Promise<void> {
  const random = seededRandom(3);
  const store = await levelStores().open(folder);
  const operations = Array.from({ length: 3000 }, (_, i) => ({
    type: 'put' as const,
    key: Buffer.from(`key-${i}`),
    value: i % 3 === 0 ? random.bytes(300) : Buffer.from(`a rather repetitive value ${i % 7} `.repeat(12)),
  }));
  await store.batch(operations, { sync: true });
  await store.compact({ gte: Buffer.from('a'), lt: Buffer.from('z') });
  await store.close();
}

test('every flipped bit of a table is found; whole tables and unfinished ones pass', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'shoal-tables-'));
  const files = nodeFiles();
  const random = seededRandom(4);
  try {
    await filledStore(folder);
    await verifyTables(files, folder);
    const name = (await readdir(folder)).find((found) => found.endsWith('.ldb'))!;
    const file = path.join(folder, name);
    const whole = (await files.read(file))!;
    for (let i = 0; i < 60; i++) {
      const changed = Uint8Array.from(whole);
      changed[Math.floor(random.next() * (whole.length - FOOTER_BYTES))]! ^= 1 << Math.floor(random.next() * 8);
      await files.replace(file, changed);
      await assert.rejects(verifyTables(files, folder), { type: 'corrupt_index_exception' });
    }
    await files.replace(file, whole.subarray(0, whole.length - 100));
    await verifyTables(files, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
