import { createHash } from 'node:crypto';

/** Purpose byte of PKCS#12's key derivation. */
export const PURPOSE = { key: 1, iv: 2, mac: 3 } as const;

/** Password as PKCS#12 hashes it: UTF-16, big-endian, with a final zero. */
export function passwordBytes(password: string): Buffer {
  return Buffer.from(`${password}\0`, 'utf16le').swap16();
}

/** Key derivation of PKCS#12: RFC 7292, appendix B.2. `iterations` hashes for each block of the result. */
export function deriveKey(
  hash: string,
  password: Buffer,
  salt: Buffer,
  iterations: number,
  purpose: number,
  length: number,
): Buffer {
  const block = hash === 'sha384' || hash === 'sha512' ? 128 : 64;
  const diversifier = Buffer.alloc(block, purpose);
  const input = Buffer.concat([repeated(salt, block), repeated(password, block)]);
  const result: Buffer[] = [];
  for (let made = 0; made < length; ) {
    let digest = createHash(hash).update(diversifier).update(input).digest();
    for (let i = 1; i < iterations; i++) digest = createHash(hash).update(digest).digest();
    result.push(digest);
    made += digest.length;
    addToBlocks(input, repeated(digest, block).subarray(0, block), block);
  }
  return Buffer.concat(result).subarray(0, length);
}

/** Returns `bytes` repeated to the next multiple of `block`; empty bytes stay empty. */
function repeated(bytes: Buffer, block: number): Buffer {
  const length = block * Math.ceil(bytes.length / block);
  const result = Buffer.alloc(length);
  for (let i = 0; i < length; i++) result[i] = bytes[i % bytes.length]!;
  return result;
}

/** Each block of `input` becomes itself + `addend` + 1, as big-endian numbers. */
function addToBlocks(input: Buffer, addend: Buffer, block: number): void {
  for (let start = 0; start < input.length; start += block) {
    let carry = 1;
    for (let i = block - 1; i >= 0; i--) {
      carry += input[start + i]! + addend[i]!;
      input[start + i] = carry & 0xff;
      carry >>= 8;
    }
  }
}
