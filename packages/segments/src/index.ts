export type * from './segment-reader.js';
export { CHUNK_BYTES_MAX, NO_MORE_DOCS, POSTINGS_BLOCK_DOCS, WINDOW_DOCS } from './segment-reader.js';
