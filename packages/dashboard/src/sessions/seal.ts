import { createCipheriv, createDecipheriv, createHash, hkdfSync } from 'node:crypto';
import type { Random } from '@shoal/doors';

const HALF_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The two halves of a cookie: one finds the record of a session, one opens it. */
export interface SessionCookie {
  /** Key of the record: the SHA-256 of the first half, so that records do not tell cookies. */
  readonly recordId: string;
  readonly secret: Buffer;
}

/** A new value of the session cookie: 32 random bytes. */
export const newCookie = (random: Random): string => Buffer.from(random.bytes(2 * HALF_BYTES)).toString('base64url');

/** Reads a cookie; null if it cannot be one of ours. */
export function readCookie(text: string | undefined): SessionCookie | null {
  if (text === undefined || !/^[\w-]{43}$/.test(text)) return null;
  const bytes = Buffer.from(text, 'base64url');
  const recordId = createHash('sha256').update(bytes.subarray(0, HALF_BYTES)).digest('base64url');
  return { recordId, secret: bytes.subarray(HALF_BYTES) };
}

/**
 * Key of one record, by HKDF (RFC 5869) from the server's key and the cookie's secret: neither records and the
 * server's key, nor a cookie alone, open anything.
 */
const keyOf = (serverKey: Uint8Array, { recordId, secret }: SessionCookie): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, serverKey, `session ${recordId}`, 32));

/** Encrypts with AES-256-GCM: nonce, tag, text. */
export function seal(text: string, serverKey: Uint8Array, cookie: SessionCookie, random: Random): Buffer {
  const nonce = random.bytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyOf(serverKey, cookie), nonce);
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

/** Opens what `seal` made; null for another key, another cookie or changed bytes. */
export function unseal(sealed: Buffer, serverKey: Uint8Array, cookie: SessionCookie): string | null {
  try {
    const decipher = createDecipheriv('aes-256-gcm', keyOf(serverKey, cookie), sealed.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const body = sealed.subarray(NONCE_BYTES + TAG_BYTES);
    return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
