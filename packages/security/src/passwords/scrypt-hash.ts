import { scrypt, timingSafeEqual } from 'node:crypto';

/**
 * Cost of new hashes: 2^14 rounds over blocks of 8 times 128 bytes, 16 MB and about 50 ms each (OWASP's lower bound for
 * interactive logins).
 */
const COST = { N: 16_384, r: 8, p: 1 };
const KEY_BYTES = 32;
/** Most memory that a hash from elsewhere may ask for. */
const MEMORY_BYTES_MAX = 64 * 2 ** 20;

const PREFIX = '{scrypt}';

/** What a key costs: rounds, block size in units of 128 bytes, parallel blocks (RFC 7914). */
export interface ScryptCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/** Derives a key of `bytes` bytes from a normalised password, beside the thread's other work. */
export type DeriveKey = (password: string, salt: Uint8Array, bytes: number, cost: ScryptCost) => Promise<Buffer>;

interface ScryptHash extends ScryptCost {
  readonly salt: Buffer;
  readonly key: Buffer;
}

/** scrypt on threads of the runtime. */
export const deriveByScrypt: DeriveKey = (password, salt, bytes, { N, r, p }) =>
  new Promise((resolve, reject) => {
    scrypt(password, salt, bytes, { N, r, p, maxmem: MEMORY_BYTES_MAX * 2 }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });

/**
 * Parses `{scrypt}N$r$p$salt$key`, salt and key in base64. Null for other texts, and for costs that are too high for a
 * login.
 */
function parse(hash: string): ScryptHash | null {
  const match = /^\{scrypt\}(\d{1,8})\$(\d{1,3})\$(\d{1,3})\$([A-Za-z0-9+/=]{8,})\$([A-Za-z0-9+/=]{8,})$/.exec(hash);
  if (!match) return null;
  const [N, r, p] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const isPowerOfTwo = N > 1 && (N & (N - 1)) === 0;
  if (!isPowerOfTwo || r < 1 || p < 1 || p > 16 || 128 * N * r * p > MEMORY_BYTES_MAX) return null;
  return { N, r, p, salt: Buffer.from(match[4]!, 'base64'), key: Buffer.from(match[5]!, 'base64') };
}

/** Whether a text is a hash that `verifyScrypt` can check. */
export function isScryptHash(hash: string): boolean {
  return parse(hash) !== null;
}

/** Hashes a password with scrypt (RFC 7914). `salt` is 16 random bytes. */
export async function scryptHash(
  password: string,
  salt: Uint8Array,
  derive: DeriveKey = deriveByScrypt,
): Promise<string> {
  const bytes = Buffer.from(salt);
  const key = await derive(password.normalize('NFC'), bytes, KEY_BYTES, COST);
  return `${PREFIX}${COST.N}$${COST.r}$${COST.p}$${bytes.toString('base64')}$${key.toString('base64')}`;
}

/** Whether a password has this hash; false if the text is not a scrypt hash. */
export async function verifyScrypt(
  password: string,
  hash: string,
  derive: DeriveKey = deriveByScrypt,
): Promise<boolean> {
  const parsed = parse(hash);
  if (!parsed) return false;
  const { salt, key, ...cost } = parsed;
  return timingSafeEqual(await derive(password.normalize('NFC'), salt, key.length, cost), key);
}
