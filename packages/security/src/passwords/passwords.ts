import { createTurns, type Random } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { isImportedHash, verifyImported } from './imported-hash.js';
import { type DeriveKey, deriveByScrypt, isScryptHash, scryptHash, verifyScrypt } from './scrypt-hash.js';

/** Computes and checks password hashes, two at a time; if 64 calls wait, further ones are refused with 429. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /**
   * Checks a password. With a null `hash` it takes as long and returns false, so that the time taken does not reveal
   * whether a user exists.
   */
  verify(password: string, hash: string | null): Promise<boolean>;
  /** Checks that wait now, and checks refused since the start. */
  readonly load: { readonly waiting: number; readonly refused: number };
}

const RUNNING_MAX = 2;
const WAITING_MAX = 64;

/** Hash that no password has, checked in place of a null hash. */
const DECOY = `{scrypt}16384$8$1$${Buffer.alloc(16, 7).toString('base64')}$${Buffer.alloc(32, 9).toString('base64')}`;

/** Whether `password_hash` of a request can be stored: scrypt of this program, bcrypt or PBKDF2. */
export function isPasswordHash(hash: string): boolean {
  return isScryptHash(hash) || isImportedHash(hash);
}

async function check(password: string, hash: string | null, derive: DeriveKey): Promise<boolean> {
  if (hash === null) {
    await verifyScrypt(password, DECOY, derive);
    return false;
  }
  return isScryptHash(hash) ? verifyScrypt(password, hash, derive) : verifyImported(password, hash);
}

/** The password work of one node; `derive` makes the keys of scrypt. */
export function createPasswords(random: Random, derive: DeriveKey = deriveByScrypt): Passwords {
  const work = createTurns(RUNNING_MAX, {
    waitingMax: WAITING_MAX,
    refusal: (running, waiting) =>
      errors.rejectedExecution(`rejected execution of a password check: ${running} run and ${waiting} wait`),
  });
  return {
    hash: (password) => work.run(() => scryptHash(password, random.bytes(16), derive)),
    verify: (password, hash) => work.run(() => check(password, hash, derive)),
    get load() {
      return { waiting: work.waiting, refused: work.refused };
    },
  };
}
