import { bench } from '@shoal/testing';
import { crcOf, crcTables, POLYNOMIAL } from './crc.kernel.js';

const bytes = Uint8Array.from({ length: 1 << 16 }, (_, i) => Math.imul(i, 0x9e3779b1) >>> 24);
const tables = crcTables(POLYNOMIAL.crc32c);
bench('crc32c of 64 KiB, a byte', bytes.length, () => void crcOf(tables, bytes, 0, bytes.length));
