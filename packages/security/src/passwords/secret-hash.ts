import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * Hash of a generated secret (API key, token). It has at least 128 random bits and cannot be guessed, so one round of
 * SHA-256 suffices; passwords need a slow hash.
 */
export function secretHash(secret: string): string {
  return `{sha256}${createHash('sha256').update(secret).digest('base64')}`;
}

/** Whether a secret has this hash, in constant time. */
export function matchesSecret(secret: string, hash: string): boolean {
  const [made, kept] = [Buffer.from(secretHash(secret)), Buffer.from(hash)];
  return made.length === kept.length && timingSafeEqual(made, kept);
}

/** Compares two texts in constant time whatever their lengths. */
export function equalSecrets(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest());
}
