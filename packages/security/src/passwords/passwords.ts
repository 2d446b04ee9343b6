import type { Random } from '@shoal/doors';
import { type CheckSource, createCheckQueue } from './check-queue.js';
import { type CompareBcrypt, compareHere, isImportedHash, verifyImported } from './imported-hash.js';
import { type DeriveKey, deriveByScrypt, isScryptHash, scryptHash, verifyScrypt } from './scrypt-hash.js';

/** Computes and checks password hashes in the turns of a `CheckQueue`. */
export interface Passwords {
  /** Computes the hash of a password that a user who is logged in sets. */
  hash(password: string): Promise<string>;
  /**
   * Checks a password that `source` shows. With a null `hash` it takes as long and returns false, so that the time
   * taken does not reveal whether a user exists.
   */
  verify(password: string, hash: string | null, source: CheckSource): Promise<boolean>;
  /** Checks that wait now, and checks refused since the start. */
  readonly load: { readonly waiting: number; readonly refused: number };
}

/** What computes hashes. */
export interface PasswordDoors {
  /** Default: scrypt on threads of the runtime. */
  readonly deriveKey?: DeriveKey;
  /** Default: on the calling thread. */
  readonly compareBcrypt?: CompareBcrypt;
}

const SETTING: CheckSource = { name: 'set', suspicion: 0 };

/** Hash that no password has, checked in place of a null hash. */
const DECOY = `{scrypt}16384$8$1$${Buffer.alloc(16, 7).toString('base64')}$${Buffer.alloc(32, 9).toString('base64')}`;

/** Whether `password_hash` of a request can be stored: scrypt of this program, bcrypt or PBKDF2. */
export function isPasswordHash(hash: string): boolean {
  return isScryptHash(hash) || isImportedHash(hash);
}

/** The password work of one node. */
export function createPasswords(
  random: Random,
  { deriveKey: derive = deriveByScrypt, compareBcrypt = compareHere }: PasswordDoors = {},
): Passwords {
  const work = createCheckQueue();
  const check = async (password: string, hash: string | null): Promise<boolean> => {
    if (hash === null) {
      await verifyScrypt(password, DECOY, derive);
      return false;
    }
    return isScryptHash(hash) ? verifyScrypt(password, hash, derive) : verifyImported(password, hash, compareBcrypt);
  };
  return {
    hash: (password) => work.run(SETTING, () => scryptHash(password, random.bytes(16), derive)),
    verify: (password, hash, source) => work.run(source, () => check(password, hash)),
    get load() {
      return { waiting: work.waiting, refused: work.refused };
    },
  };
}
