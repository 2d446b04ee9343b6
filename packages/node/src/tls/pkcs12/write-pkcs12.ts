import { createCipheriv, createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { integer, octets, oid, sequence, TAG, write } from '../der.js';
import { deriveKey, passwordBytes, PURPOSE } from './derive-key.js';
import { OID } from './oids.js';

/** A key with its certificates, or trusted certificates only. All in DER. */
export interface KeyStoreContent {
  readonly entry: { readonly name: string; readonly key: Buffer; readonly certificate: Buffer } | null;
  /** Authorities: the chain of `entry`, or trusted certificates if there is no `entry`. */
  readonly authorities: readonly { readonly name: string; readonly certificate: Buffer }[];
}

/** Iterations that OpenSSL 3 and Java 17 use. */
const ITERATIONS = 10_000;

const context = (...parts: readonly Uint8Array[]): Buffer => write(0xa0, ...parts);
const NOTHING = write(TAG.nothing);

/** Encodes a PKCS#12 file (RFC 7292) with AES-256, PBKDF2 and an HMAC over SHA-256, as OpenSSL 3 and Java 17 do. */
export function writePkcs12({ entry, authorities }: KeyStoreContent, password: string): Buffer {
  const keyId = entry === null ? null : createHash('sha1').update(entry.certificate).digest();
  const certificates = [
    ...(entry === null ? [] : [certificateBag(entry.certificate, [friendlyName(entry.name), localKeyId(keyId!)])]),
    ...authorities.map(({ name, certificate }) =>
      certificateBag(certificate, entry === null ? [friendlyName(name), trusted()] : [friendlyName(name)]),
    ),
  ];
  const parts = [
    encryptedPart(sequence(...certificates), password),
    ...(entry === null
      ? []
      : [plainPart(sequence(keyBag(entry.key, password, [friendlyName(entry.name), localKeyId(keyId!)])))]),
  ];
  const safe = sequence(...parts);
  return sequence(integer(3), sequence(oid(OID.data), context(octets(safe))), integrity(safe, password));
}

function certificateBag(certificate: Buffer, attributes: readonly Buffer[]): Buffer {
  return bag(OID.certificateBag, sequence(oid(OID.x509Certificate), context(octets(certificate))), attributes);
}

function keyBag(key: Buffer, password: string, attributes: readonly Buffer[]): Buffer {
  const { algorithm, bytes } = encrypt(key, password);
  return bag(OID.shroudedKeyBag, sequence(algorithm, octets(bytes)), attributes);
}

const bag = (kind: string, value: Buffer, attributes: readonly Buffer[]): Buffer =>
  sequence(oid(kind), context(value), write(TAG.set, ...attributes));
const attribute = (kind: string, value: Buffer): Buffer => sequence(oid(kind), write(TAG.set, value));
const friendlyName = (name: string): Buffer =>
  attribute(OID.friendlyName, write(TAG.bmpString, Buffer.from(name, 'utf16le').swap16()));
const localKeyId = (id: Buffer): Buffer => attribute(OID.localKeyId, octets(id));
/** Attribute without which Java does not trust a certificate that has no key. */
const trusted = (): Buffer => attribute(OID.trustedKeyUsage, oid(OID.anyExtendedKeyUsage));

const plainPart = (content: Buffer): Buffer => sequence(oid(OID.data), context(octets(content)));

function encryptedPart(content: Buffer, password: string): Buffer {
  const { algorithm, bytes } = encrypt(content, password);
  return sequence(
    oid(OID.encryptedData),
    context(sequence(integer(0), sequence(oid(OID.data), algorithm, write(0x80, bytes)))),
  );
}

function encrypt(content: Buffer, password: string): { readonly algorithm: Buffer; readonly bytes: Buffer } {
  const salt = randomBytes(16);
  const iv = randomBytes(16);
  const cipher = createCipheriv('aes-256-cbc', pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256'), iv);
  const derivation = sequence(
    oid(OID.pbkdf2),
    sequence(octets(salt), integer(ITERATIONS), sequence(oid(OID.hmacSha256), NOTHING)),
  );
  const algorithm = sequence(oid(OID.pbes2), sequence(derivation, sequence(oid(OID.aes256Cbc), octets(iv))));
  return { algorithm, bytes: Buffer.concat([cipher.update(content), cipher.final()]) };
}

function integrity(safe: Buffer, password: string): Buffer {
  const salt = randomBytes(20);
  const key = deriveKey('sha256', passwordBytes(password), salt, ITERATIONS, PURPOSE.mac, 32);
  const digest = createHmac('sha256', key).update(safe).digest();
  return sequence(sequence(sequence(oid(OID.sha256), NOTHING), octets(digest)), octets(salt), integer(ITERATIONS));
}
