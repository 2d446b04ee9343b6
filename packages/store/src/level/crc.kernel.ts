/** Reversed polynomials: Castagnoli's (LevelDB) and that of zlib. */
export const POLYNOMIAL = { crc32c: 0x82f63b78, crc32: 0xedb88320 } as const;

/** Eight tables of 256 entries, to process eight bytes a step: "slicing-by-8", Kounavis and Berry, 2005. */
export function crcTables(polynomial: number): Int32Array {
  const tables = new Int32Array(8 * 256);
  for (let n = 0; n < 256; n++) {
    let crc = n;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ polynomial : crc >>> 1;
    tables[n] = crc;
  }
  for (let n = 0; n < 256; n++) {
    for (let k = 1; k < 8; k++) {
      const before = tables[(k - 1) * 256 + n]!;
      tables[k * 256 + n] = (before >>> 8) ^ tables[before & 0xff]!;
    }
  }
  return tables;
}

/**
 * CRC of bytes[from … to - 1] by the `tables` of `crcTables`, unsigned. `before` is the CRC of the bytes before, to
 * compute one in parts.
 */
export function crcOf(tables: Int32Array, bytes: Uint8Array, from: number, to: number, before = 0): number {
  let crc = ~before;
  let at = from;
  for (const end = to - 7; at < end; at += 8) {
    const low = crc ^ (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24));
    crc =
      tables[1792 + (low & 0xff)]! ^
      tables[1536 + ((low >>> 8) & 0xff)]! ^
      tables[1280 + ((low >>> 16) & 0xff)]! ^
      tables[1024 + (low >>> 24)]! ^
      tables[768 + bytes[at + 4]!]! ^
      tables[512 + bytes[at + 5]!]! ^
      tables[256 + bytes[at + 6]!]! ^
      tables[bytes[at + 7]!]!;
  }
  for (; at < to; at++) crc = (crc >>> 8) ^ tables[(crc ^ bytes[at]!) & 0xff]!;
  return (crc ^ -1) >>> 0;
}
