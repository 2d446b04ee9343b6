import { createHash } from 'node:crypto';
import { stringify } from '@shoal/json';

const ID_BYTES = 16;

/** Returns the id of the document of a group: 128 bits of a digest of its keys. A group has one document for ever. */
export function documentId(keys: readonly unknown[]): string {
  return createHash('sha256').update(stringify(keys)).digest().subarray(0, ID_BYTES).toString('base64url');
}
