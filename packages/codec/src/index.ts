export { bitsOf, packBits, packedAt, packedBytes, unpackBits } from './bit-pack.kernel.js';
export { bitsToList, nextSetBit, popCount, popCountWords, previousSetBit } from './bit-words.kernel.js';
export { ByteReader } from './byte-reader.js';
export { ByteWriter } from './byte-writer.js';
export { encodeWith } from './encode-with.js';
export { crc32 } from './checksum.js';
export { compareTerms } from './compare-terms.js';
export { idHashHigh, idHashLow, murmur3, murmur3Bytes } from './murmur3.kernel.js';
export { murmur3Both64, murmur3First64 } from './murmur3-128.js';
export {
  decodePatched,
  encodePatched,
  PATCHED_BLOCK_MAX,
  patchedBytesMax,
  skipPatched,
} from './patched-block.kernel.js';
export { radixSort } from './radix-sort.kernel.js';
export { decodeValue, encodeValue, type Value, ValueReader, ValueWriter } from './value.js';
