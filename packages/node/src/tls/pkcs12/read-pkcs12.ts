import { createDecipheriv, createHmac, pbkdf2Sync, timingSafeEqual } from 'node:crypto';
import { type DerElement, integerOf, oidOf, readAll, readOne, TAG } from '../der.js';
import { deriveKey, passwordBytes, PURPOSE } from './derive-key.js';
import { CIPHERS, DIGESTS, OID, PRF_HASHES } from './oids.js';

/** Keys and certificates of a PKCS#12 file, in DER. */
export interface KeyStore {
  /** Private keys in PKCS#8. */
  readonly keys: readonly StoredItem[];
  readonly certificates: readonly StoredItem[];
}

/** A key or certificate of a PKCS#12 file. */
export interface StoredItem {
  readonly der: Buffer;
  /** Same for a key and its certificate; null when there is none. */
  readonly localKeyId: string | null;
}

/** Limit of iterations, so that a file cannot make a start take minutes. */
const ITERATIONS_MAX = 10_000_000;

/**
 * Reads a PKCS#12 file (RFC 7292) as OpenSSL, Java 11 and later, and this program write it. Throws for a wrong
 * password, broken bytes and algorithms of old files (40-bit RC2) that the crypto library does not offer.
 */
export function readPkcs12(file: Buffer, password: string): KeyStore {
  const [version, content, mac] = readAll(readOne(file).content);
  if (!version || !content || integerOf(version) !== 3) throw new Error('the file is not a PKCS#12 store');
  const safe = octetsOf(contentOf(content, OID.data));
  if (mac) checkIntegrity(mac, safe, password);
  const keys: StoredItem[] = [];
  const certificates: StoredItem[] = [];
  for (const part of readAll(readOne(safe).content)) {
    for (const bag of readAll(readOne(safeContents(part, password)).content))
      readBag(bag, password, keys, certificates);
  }
  return { keys, certificates };
}

/** Returns the `[0]` element of a ContentInfo. Throws for another type. */
function contentOf(info: DerElement, type: string): DerElement {
  const [kind, wrapped] = readAll(info.content);
  if (!kind || !wrapped || oidOf(kind) !== type) throw new Error('the file is not protected by a password');
  return readOne(wrapped.content);
}

/** Returns the bytes of an OCTET STRING, whole or in pieces. */
function octetsOf({ tag, content }: DerElement): Buffer {
  return tag === TAG.octets ? content : Buffer.concat(readAll(content).map(octetsOf));
}

function checkIntegrity(mac: DerElement, safe: Buffer, password: string): void {
  const [info, salt, iterations] = readAll(mac.content);
  const [algorithm, wanted] = readAll(info!.content);
  const hash = DIGESTS.get(oidOf(readOne(algorithm!.content)));
  if (hash === undefined) throw new Error('the hash of its integrity check is not supported');
  const count = iterations === undefined ? 1 : integerOf(iterations);
  if (count > ITERATIONS_MAX) throw new Error('its integrity check has too many iterations');
  const key = deriveKey(hash, passwordBytes(password), salt!.content, count, PURPOSE.mac, wanted!.content.length);
  const found = createHmac(hash, key).update(safe).digest();
  if (found.length !== wanted!.content.length || !timingSafeEqual(found, wanted!.content))
    throw new Error('the password is wrong, or the file is damaged');
}

/** Returns the decrypted bags of one part. */
function safeContents(part: DerElement, password: string): Buffer {
  const kind = oidOf(readAll(part.content)[0]!);
  if (kind === OID.data) return octetsOf(contentOf(part, OID.data));
  const encrypted = readAll(contentOf(part, OID.encryptedData).content)[1]!;
  const [, algorithm, wrapped] = readAll(encrypted.content);
  const bytes = (wrapped!.tag & 0x20) === 0 ? wrapped!.content : Buffer.concat(readAll(wrapped!.content).map(octetsOf));
  return decrypt(algorithm!, bytes, password);
}

function readBag(bag: DerElement, password: string, keys: StoredItem[], certificates: StoredItem[]): void {
  const [kind, wrapped, attributes] = readAll(bag.content);
  const value = readOne(wrapped!.content);
  const localKeyId = localKeyIdOf(attributes);
  switch (oidOf(kind!)) {
    case OID.keyBag:
      keys.push({ der: value.whole, localKeyId });
      return;
    case OID.shroudedKeyBag: {
      const [algorithm, bytes] = readAll(value.content);
      keys.push({ der: decrypt(algorithm!, octetsOf(bytes!), password), localKeyId });
      return;
    }
    case OID.certificateBag: {
      const [type, content] = readAll(value.content);
      if (oidOf(type!) === OID.x509Certificate)
        certificates.push({ der: octetsOf(readOne(content!.content)), localKeyId });
    }
  }
}

function localKeyIdOf(attributes: DerElement | undefined): string | null {
  for (const attribute of attributes === undefined ? [] : readAll(attributes.content)) {
    const [type, values] = readAll(attribute.content);
    if (oidOf(type!) === OID.localKeyId) return readOne(values!.content).content.toString('hex');
  }
  return null;
}

function decrypt(algorithm: DerElement, bytes: Buffer, password: string): Buffer {
  const [kind, parameters] = readAll(algorithm.content);
  const name = oidOf(kind!);
  if (name === OID.pbes2) return decryptPbes2(readAll(parameters!.content), bytes, password);
  if (name === OID.sha1And3Des) return decrypt3Des(readAll(parameters!.content), bytes, password);
  const old = name === OID.sha1And40BitRc2 ? ' (40-bit RC2)' : '';
  throw new Error(
    `it is encrypted with [${name}]${old}, which is not supported; write it again with AES, as current tools do`,
  );
}

/** Decrypts with PBES2 (RFC 8018, 6.2). */
function decryptPbes2([derivation, encryption]: readonly DerElement[], bytes: Buffer, password: string): Buffer {
  const [kdf, kdfParameters] = readAll(derivation!.content);
  if (oidOf(kdf!) !== OID.pbkdf2) throw new Error('its key derivation is not supported');
  const [salt, iterations, ...rest] = readAll(kdfParameters!.content);
  const prf = rest.find(({ tag }) => tag === TAG.sequence);
  const hash = prf === undefined ? 'sha1' : PRF_HASHES.get(oidOf(readOne(prf.content)));
  const [cipherKind, iv] = readAll(encryption!.content);
  const cipher = CIPHERS.get(oidOf(cipherKind!));
  if (hash === undefined || cipher === undefined || integerOf(iterations!) > ITERATIONS_MAX)
    throw new Error('its encryption is not supported');
  const key = pbkdf2Sync(password, salt!.content, integerOf(iterations!), cipher[1], hash);
  const decipher = createDecipheriv(cipher[0], key, iv!.content);
  return Buffer.concat([decipher.update(bytes), decipher.final()]);
}

function decrypt3Des([salt, iterations]: readonly DerElement[], bytes: Buffer, password: string): Buffer {
  const secret = passwordBytes(password);
  const count = integerOf(iterations!);
  const derive = (purpose: number, length: number): Buffer =>
    deriveKey('sha1', secret, salt!.content, count, purpose, length);
  const decipher = createDecipheriv('des-ede3-cbc', derive(PURPOSE.key, 24), derive(PURPOSE.iv, 8));
  return Buffer.concat([decipher.update(bytes), decipher.final()]);
}
