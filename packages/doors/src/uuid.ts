import type { Random } from './random.js';

/**
 * Makes a random id of 16 bytes as 22 characters of URL-safe base64 without padding, the form of node, index and state
 * ids.
 */
export function newUuid(random: Random): string {
  return Buffer.from(random.bytes(16)).toString('base64url');
}
