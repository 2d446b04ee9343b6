export { writeMmdb } from './mmdb-writer.js';
