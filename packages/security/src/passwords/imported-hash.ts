import { createHash, pbkdf2, timingSafeEqual } from 'node:crypto';

/** Highest accepted costs of imported hashes; a login with a higher cost would block the node. */
const BCRYPT_COST_MAX = 13;
const PBKDF2_ROUNDS_MAX = 1_000_000;

const BCRYPT = /^\$2[aby]\$(\d{2})\$[./A-Za-z0-9]{53}$/;
const PBKDF2 = /^\{PBKDF2(_STRETCH)?\}(\d{1,7})\$([A-Za-z0-9+/=]{8,})\$([A-Za-z0-9+/=]{8,})$/;

/** Whether a text is a bcrypt or PBKDF2 hash in Elasticsearch's form, with an accepted cost. */
export function isImportedHash(hash: string): boolean {
  const bcrypt = BCRYPT.exec(hash);
  if (bcrypt) return Number(bcrypt[1]) <= BCRYPT_COST_MAX;
  const rounds = Number(PBKDF2.exec(hash)?.[2] ?? 0);
  return rounds >= 1 && rounds <= PBKDF2_ROUNDS_MAX;
}

function derive(password: string, salt: Buffer, rounds: number, bytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    pbkdf2(password, salt, rounds, bytes, 'sha512', (error, key) => (error ? reject(error) : resolve(key))),
  );
}

/** Checks `{PBKDF2}rounds$salt$key` with HMAC-SHA512; the stretched form hashes the password with SHA-512 first. */
async function verifyPbkdf2(password: string, [, stretch, rounds, salt, key]: RegExpExecArray): Promise<boolean> {
  const expected = Buffer.from(key!, 'base64');
  const text = stretch ? createHash('sha512').update(password).digest('hex') : password;
  return timingSafeEqual(await derive(text, Buffer.from(salt!, 'base64'), Number(rounds), expected.length), expected);
}

/** Compares a password with a bcrypt hash in the form `$2b$`. */
export type CompareBcrypt = (password: string, hash: string) => Promise<boolean>;

/** Compares on the calling thread, in pieces of up to 100 ms. The bcrypt library is loaded on first use. */
export const compareHere: CompareBcrypt = async (password, hash) => (await import('bcryptjs')).compare(password, hash);

/** Checks a password against an imported hash; false if the hash is not one. */
export async function verifyImported(
  password: string,
  hash: string,
  compareBcrypt: CompareBcrypt = compareHere,
): Promise<boolean> {
  if (!isImportedHash(hash)) return false;
  const pbkdf2Parts = PBKDF2.exec(hash);
  if (pbkdf2Parts) return verifyPbkdf2(password, pbkdf2Parts);
  return compareBcrypt(password, hash.replace(/^\$2[ay]\$/, '$2b$'));
}
