import { kernelContract } from '@shoal/testing';
import fc from 'fast-check';
import { murmur3Utf16 } from './murmur3.kernel.js';

/** Murmur3 x86 32 by its definition, over bytes, in whole numbers of any size. */
function plainMurmur3(bytes: Uint8Array): number {
  const word = (n: bigint): bigint => n & 0xffffffffn;
  const rotate = (n: bigint, by: bigint): bigint => word((n << by) | (n >> (32n - by)));
  let h = 0n;
  for (let at = 0; at < bytes.length; at += 4) {
    let k = 0n;
    for (let i = Math.min(3, bytes.length - at - 1); i >= 0; i--) k = (k << 8n) | BigInt(bytes[at + i]!);
    h ^= word(rotate(word(k * 0xcc9e2d51n), 15n) * 0x1b873593n);
    if (at + 4 <= bytes.length) h = word(rotate(h, 13n) * 5n + 0xe6546b64n);
  }
  h ^= BigInt(bytes.length);
  h = word((h ^ (h >> 16n)) * 0x85ebca6bn);
  h = word((h ^ (h >> 13n)) * 0xc2b2ae35n);
  return Number(BigInt.asIntN(32, h ^ (h >> 16n)));
}

kernelContract(
  'murmur3Utf16 hashes the UTF-16LE bytes of a text',
  murmur3Utf16,
  (text) => plainMurmur3(Buffer.from(text, 'utf16le')),
  fc.string({ unit: 'binary', maxLength: 40 }),
  500,
);
