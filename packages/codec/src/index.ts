export { ByteReader } from './byte-reader.js';
export { ByteWriter } from './byte-writer.js';
export { decodeValue, encodeValue, type Value } from './value.js';
