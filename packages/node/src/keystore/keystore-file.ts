import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';

/** Name of the keystore in `path.conf`. */
export const KEYSTORE_FILE = 'shoal.keystore';

/** Thrown if the password of a keystore is wrong, missing, or given for a keystore without one. */
export class KeystorePasswordError extends Error {
  override readonly name = 'KeystorePasswordError';
}

/** Cost of scrypt: 32 MB and 0.1 s for each guess at a password. */
const SCRYPT = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 2 ** 20 };
const KEY_BYTES = 32;
const CIPHER = 'aes-256-gcm';

type Stored =
  | {
      readonly format: 'shoal-keystore';
      readonly version: 1;
      readonly protection: 'none';
      readonly settings: Readonly<Record<string, string>>;
    }
  | {
      readonly format: 'shoal-keystore';
      readonly version: 1;
      readonly protection: 'password';
      readonly salt: string;
      readonly iv: string;
      readonly tag: string;
      readonly data: string;
    };

/** Whether the bytes of a keystore can only be read with a password. Throws for bytes that are none. */
export const hasPassword = (file: Buffer): boolean => stored(file).protection === 'password';

/**
 * The settings of a keystore. `password` '' stands for none. Throws KeystorePasswordError, or Error for bytes that are
 * no keystore. With a password the content is encrypted by AES-256-GCM under a key from scrypt; without one the file's
 * permissions (0600) protect it.
 */
export function readKeystore(file: Buffer, password: string): ReadonlyMap<string, string> {
  const parsed = stored(file);
  if (parsed.protection === 'none') return settingsOf(parsed.settings);
  if (password === '') throw new KeystorePasswordError('the keystore is protected by a password, which was not given');
  const decipher = createDecipheriv(
    CIPHER,
    keyOf(password, Buffer.from(parsed.salt, 'base64')),
    Buffer.from(parsed.iv, 'base64'),
    { authTagLength: 16 },
  );
  decipher.setAuthTag(Buffer.from(parsed.tag, 'base64'));
  try {
    const json = Buffer.concat([decipher.update(Buffer.from(parsed.data, 'base64')), decipher.final()]).toString(
      'utf8',
    );
    return settingsOf(JSON.parse(json) as Record<string, string>);
  } catch {
    throw new KeystorePasswordError('the password of the keystore is wrong, or the file was changed');
  }
}

/** The bytes of a keystore; `password` '' stands for none. */
export function writeKeystore(settings: ReadonlyMap<string, string>, password: string): Buffer {
  const content = Object.fromEntries(
    [...settings].map(([name, value]) => [name, Buffer.from(value).toString('base64')]),
  );
  if (password === '') return bytesOf({ format: 'shoal-keystore', version: 1, protection: 'none', settings: content });
  const salt = randomBytes(16);
  const iv = randomBytes(12);
  const cipher = createCipheriv(CIPHER, keyOf(password, salt), iv, { authTagLength: 16 });
  const data = Buffer.concat([cipher.update(JSON.stringify(content), 'utf8'), cipher.final()]);
  const text = (bytes: Buffer): string => bytes.toString('base64');
  return bytesOf({
    format: 'shoal-keystore',
    version: 1,
    protection: 'password',
    salt: text(salt),
    iv: text(iv),
    tag: text(cipher.getAuthTag()),
    data: text(data),
  });
}

const bytesOf = (content: Stored): Buffer => Buffer.from(`${JSON.stringify(content)}\n`);
const keyOf = (password: string, salt: Buffer): Buffer => scryptSync(password, salt, KEY_BYTES, SCRYPT);

function stored(file: Buffer): Stored {
  let parsed: Partial<Stored> | null = null;
  try {
    parsed = JSON.parse(file.toString('utf8')) as Partial<Stored>;
  } catch {
    // Not JSON: reported by the check of the format below.
  }
  if (parsed?.format !== 'shoal-keystore') throw new Error('the file is not a keystore');
  if (parsed.version !== 1)
    throw new Error(`the keystore is of version [${String(parsed.version)}], which this program does not know`);
  return parsed as Stored;
}

function settingsOf(content: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(content).map(([name, value]) => [name, Buffer.from(value, 'base64').toString('utf8')]));
}
