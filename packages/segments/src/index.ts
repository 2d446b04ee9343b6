export { bitSet, bitSetOver, cloneBitSet, fullBitSet } from './bit-set.js';
export { latDegrees, lonDegrees, quantiseLat, quantiseLon } from './geo-quantisation.js';
export { multiNumbers, multiOrdinals, reserveNumbers, reserveOrdinals, reserveStarts } from './multi-values.js';
export { byte4ToInt, intToByte4 } from './norm-byte.js';
export type * from './segment-reader.js';
export { CHUNK_BYTES_MAX, NO_MORE_DOCS, POSTINGS_BLOCK_DOCS, WINDOW_DOCS } from './segment-reader.js';
