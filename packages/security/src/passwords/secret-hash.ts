import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * Hash of a secret that this program made up (API keys, tokens): 128 or more random bits cannot be guessed, so that one
 * round of SHA-256 keeps them, unlike passwords.
 */
export function secretHash(secret: string): string {
  return `{sha256}${createHash('sha256').update(secret).digest('base64')}`;
}

/** Compares in constant time. */
export function matchesSecret(secret: string, hash: string): boolean {
  const [made, kept] = [Buffer.from(secretHash(secret)), Buffer.from(hash)];
  return made.length === kept.length && timingSafeEqual(made, kept);
}

/** Compares two texts in constant time whatever their lengths. */
export function equalSecrets(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest());
}
