import { ByteReader } from '@shoal/codec';
import type { Files } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { readChecksum } from './checksum.js';
import { crcOf, crcTables, POLYNOMIAL } from './crc.kernel.js';
import { unsnappy } from './snappy.js';

const FOOTER_BYTES = 48;
const MAGIC = [0x57, 0xfb, 0x80, 0x8b, 0x24, 0x75, 0x47, 0xdb];
const SNAPPY = 1;
const INDEX_BYTES_MAX = 64 * 1024 * 1024;

interface BlockHandle {
  readonly offset: number;
  readonly size: number;
}

/** Checksum of a stored one. LevelDB stores checksums rotated and with an offset, as a CRC over stored CRCs is weak. */
function unmask(stored: number): number {
  const rotated = (stored - 0xa282ead8) >>> 0;
  return ((rotated >>> 17) | (rotated << 15)) >>> 0;
}

const readHandle = (input: ByteReader): BlockHandle => ({ offset: input.varint(), size: input.varint() });

function checkBlock(tables: Int32Array, file: Uint8Array, { offset, size }: BlockHandle): void {
  const end = offset + size + 1;
  if (offset < 0 || end + 4 > file.length) throw errors.corruption('a block lies outside the file');
  if (crcOf(tables, file, offset, end) !== unmask(readChecksum(file, end)))
    throw errors.corruption(`checksum of the block at [${offset}] does not match`);
}

function contentOf(file: Uint8Array, { offset, size }: BlockHandle): Uint8Array {
  const block = file.subarray(offset, offset + size);
  return file[offset + size] === SNAPPY ? unsnappy(block, INDEX_BYTES_MAX) : block;
}

/**
 * Block handles in an index block. Its entries have a key, with the prefix of the key before left out, and a handle;
 * then follow the restart offsets and their number.
 */
function handlesIn(content: Uint8Array): BlockHandle[] {
  const restarts = readChecksum(content, content.length - 4);
  const input = new ByteReader(content.subarray(0, content.length - 4 - restarts * 4));
  const handles: BlockHandle[] = [];
  while (input.remaining > 0) {
    input.varint();
    const keyBytes = input.varint();
    const valueBytes = input.varint();
    input.raw(keyBytes);
    handles.push(readHandle(new ByteReader(input.raw(valueBytes))));
  }
  return handles;
}

/**
 * Whether a table file has a footer. A table that a killed process was writing has none, and no data refers to it.
 * LevelDB itself refuses a truncated table.
 */
function isComplete(file: Uint8Array): boolean {
  return file.length >= FOOTER_BYTES && MAGIC.every((byte, i) => file[file.length - MAGIC.length + i] === byte);
}

/**
 * Verifies the checksum of every block of one LevelDB table file. Format: "table format" in LevelDB's documentation.
 * Throws corrupt_index_exception.
 */
function verifyTable(tables: Int32Array, file: Uint8Array): void {
  const footer = new ByteReader(file.subarray(file.length - FOOTER_BYTES));
  const metaIndex = readHandle(footer);
  const index = readHandle(footer);
  // The meta index has the handle of the Bloom filters, the index those of the data blocks.
  for (const directory of [metaIndex, index]) {
    checkBlock(tables, file, directory);
    for (const handle of handlesIn(contentOf(file, directory))) checkBlock(tables, file, handle);
  }
}

/**
 * Verifies the tables of a closed LevelDB store. LevelDB reads blocks without verifying checksums, and a damaged block
 * can abort the whole process by an assertion, so a damaged store must not be opened. Throws corrupt_index_exception,
 * which names the file.
 */
export async function verifyTables(files: Files, folder: string): Promise<void> {
  const tables = crcTables(POLYNOMIAL.crc32c);
  for (const name of await files.list(folder)) {
    if (!/\.(ldb|sst)$/.test(name)) continue;
    const file = await files.read(`${folder}/${name}`);
    if (file === null || !isComplete(file)) continue;
    try {
      verifyTable(tables, file);
    } catch (error) {
      throw errors.corruption(`table file [${name}] is damaged: ${(error as Error).message}`);
    }
  }
}
