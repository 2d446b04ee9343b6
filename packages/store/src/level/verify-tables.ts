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

/** LevelDB stores checksums rotated and offset, because checksums of checksums are weak. */
function unmasked(stored: number): number {
  const rotated = (stored - 0xa282ead8) >>> 0;
  return ((rotated >>> 17) | (rotated << 15)) >>> 0;
}

const readHandle = (input: ByteReader): BlockHandle => ({ offset: input.varint(), size: input.varint() });

function checkBlock(tables: Int32Array, file: Uint8Array, { offset, size }: BlockHandle): void {
  const end = offset + size + 1;
  if (offset < 0 || end + 4 > file.length) throw errors.corruption('a block lies outside the file');
  if (crcOf(tables, file, offset, end) !== unmasked(readChecksum(file, end)))
    throw errors.corruption(`checksum of the block at [${offset}] does not match`);
}

function contentOf(file: Uint8Array, { offset, size }: BlockHandle): Uint8Array {
  const block = file.subarray(offset, offset + size);
  return file[offset + size] === SNAPPY ? unsnappy(block, INDEX_BYTES_MAX) : block;
}

/**
 * Handles in an index block: entries of shared and own key bytes and a handle, then the restart offsets and their
 * number.
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
 * A table that a killed process was writing has no end yet; nothing refers to it. LevelDB refuses by itself to read one
 * that is cut.
 */
function isComplete(file: Uint8Array): boolean {
  return file.length >= FOOTER_BYTES && MAGIC.every((byte, i) => file[file.length - MAGIC.length + i] === byte);
}

/**
 * Checks every block of one LevelDB table file. Format: page "table format" of LevelDB's documentation. Throws
 * corrupt_index_exception.
 */
function verifyTable(tables: Int32Array, file: Uint8Array): void {
  const footer = new ByteReader(file.subarray(file.length - FOOTER_BYTES));
  const metaIndex = readHandle(footer);
  const index = readHandle(footer);
  // The meta index names the block of the bloom filters, the index those of the data.
  for (const directory of [metaIndex, index]) {
    checkBlock(tables, file, directory);
    for (const handle of handlesIn(contentOf(file, directory))) checkBlock(tables, file, handle);
  }
}

/**
 * Checks the tables of a closed LevelDB. Its own reads do not verify checksums, and a damaged block can end the whole
 * process in an assertion: such a store must not be opened. Throws corrupt_index_exception naming the file.
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
