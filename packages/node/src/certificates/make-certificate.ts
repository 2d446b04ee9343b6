import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto';
import { isIP } from 'node:net';
import { integer, octets, oid, oidOf, readAll, readOne, sequence, TAG, write } from '../tls/der.js';

/** A certificate with its private key, in PEM; the key is PKCS#8 without a password. */
export interface IssuedCertificate {
  readonly certificate: string;
  readonly key: string;
}

/** Subject and validity of a certificate to issue. */
export interface CertificateRequest {
  /** Common name of the subject. */
  readonly name: string;
  /** Host names and addresses that the certificate is for; an authority has none. */
  readonly hosts: readonly string[];
  readonly days: number;
  /** Wall time in milliseconds. */
  readonly nowMs: number;
}

/** Certificate authority that signs. */
interface Issuer {
  readonly name: Buffer;
  readonly keyId: Buffer;
  readonly key: KeyObject;
}

const OID = {
  commonName: '2.5.4.3',
  ecdsaSha256: '1.2.840.10045.4.3.2',
  rsaSha256: '1.2.840.113549.1.1.11',
  subjectKeyId: '2.5.29.14',
  keyUsage: '2.5.29.15',
  alternativeNames: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyId: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
} as const;

const DAY_MS = 86_400_000;
/** The clock of another machine may be behind: certificates are valid from a little before now. */
const BACKDATED_MS = 3_600_000;
const TRUE = write(0x01, Buffer.from([0xff]));

/** A new authority that signs itself. Keys are on the curve P-256, whose handshakes cost a fifth of those of RSA. */
export function makeAuthority(request: CertificateRequest): IssuedCertificate {
  const keys = newKeys();
  const usage = [extension(OID.basicConstraints, sequence(TRUE), true), extension(OID.keyUsage, bits(0x06, 1), true)];
  return issue(
    request,
    keys,
    { name: nameOf(request.name), keyId: keyIdOf(keys.publicKey), key: keys.privateKey },
    usage,
  );
}

/**
 * What a certificate is for. `link`: a server that is a client as well, as nodes are to each other. `http`: a server
 * only, so that it opens no link between nodes.
 */
export type CertificatePurpose = 'link' | 'http';

/** A certificate for a purpose, signed by `authority`. Throws for a key that cannot sign certificates. */
export function issueCertificate(
  authority: IssuedCertificate,
  request: CertificateRequest,
  purpose: CertificatePurpose,
): IssuedCertificate {
  const signer = new X509Certificate(authority.certificate);
  if (!signer.ca) throw new Error(`[${signer.subject}] is not an authority`);
  const key = createPrivateKey(authority.key);
  if (!signer.checkPrivateKey(key)) throw new Error('the key is not that of the authority');
  const usage = [
    extension(OID.basicConstraints, sequence(), true),
    extension(OID.keyUsage, bits(0x80, 7), true),
    extension(
      OID.extendedKeyUsage,
      sequence(oid(OID.serverAuth), ...(purpose === 'link' ? [oid(OID.clientAuth)] : [])),
    ),
    ...(request.hosts.length === 0
      ? []
      : [extension(OID.alternativeNames, sequence(...[...new Set(request.hosts)].map(alternativeName)))]),
  ];
  return issue(request, newKeys(), { ...issuerOf(signer), key }, usage);
}

function issue(
  request: CertificateRequest,
  keys: { publicKey: KeyObject; privateKey: KeyObject },
  issuer: Issuer,
  usage: readonly Buffer[],
): IssuedCertificate {
  const algorithm = sequence(
    oid(issuer.key.asymmetricKeyType === 'rsa' ? OID.rsaSha256 : OID.ecdsaSha256),
    ...(issuer.key.asymmetricKeyType === 'rsa' ? [write(TAG.nothing)] : []),
  );
  if (!['rsa', 'ec'].includes(issuer.key.asymmetricKeyType ?? ''))
    throw new Error(
      `an authority with a key of the kind [${issuer.key.asymmetricKeyType}] is not supported; RSA and EC are`,
    );
  const extensions = [
    ...usage,
    extension(OID.subjectKeyId, octets(keyIdOf(keys.publicKey))),
    extension(OID.authorityKeyId, sequence(write(0x80, issuer.keyId))),
  ];
  const body = sequence(
    write(0xa0, integer(2)),
    write(TAG.integer, serialNumber()),
    algorithm,
    issuer.name,
    sequence(time(request.nowMs - BACKDATED_MS), time(request.nowMs + request.days * DAY_MS)),
    nameOf(request.name),
    publicKeyOf(keys.publicKey),
    write(0xa3, sequence(...extensions)),
  );
  const der = sequence(body, algorithm, bits(sign('sha256', body, issuer.key), 0));
  return {
    certificate: new X509Certificate(der).toString(),
    key: keys.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  };
}

const newKeys = (): { publicKey: KeyObject; privateKey: KeyObject } =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' });
const publicKeyOf = (key: KeyObject): Buffer => key.export({ format: 'der', type: 'spki' });

/** RFC 5280, 4.2.1.2: SHA-1 of the bits of the public key. */
function keyIdOf(key: KeyObject): Buffer {
  const [, keyBits] = readAll(readOne(publicKeyOf(key)).content);
  return createHash('sha1').update(keyBits!.content.subarray(1)).digest();
}

/** Name and key id of an authority as its certificate has them. */
function issuerOf(authority: X509Certificate): Pick<Issuer, 'name' | 'keyId'> {
  const fields = readAll(readAll(readOne(authority.raw).content)[0]!.content);
  const extensions = fields.find(({ tag }) => tag === 0xa3);
  const found =
    extensions &&
    readAll(readOne(extensions.content).content)
      .map(({ content }) => readAll(content))
      .find(([kind]) => oidOf(kind!) === OID.subjectKeyId);
  return {
    name: fields[5]!.whole,
    keyId: found ? readOne(found.at(-1)!.content).content : keyIdOf(authority.publicKey),
  };
}

/** 16 random bytes, positive and not shortened. */
function serialNumber(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = (bytes[0]! & 0x7f) | 0x40;
  return bytes;
}

function nameOf(commonName: string): Buffer {
  return sequence(write(TAG.set, sequence(oid(OID.commonName), write(0x0c, Buffer.from(commonName)))));
}

/** UTCTime up to 2049, GeneralizedTime afterwards (RFC 5280, 4.1.2.5). */
function time(ms: number): Buffer {
  const digits = `${new Date(ms).toISOString().replace(/\D/g, '').slice(0, 14)}Z`;
  return Number(digits.slice(0, 4)) < 2050
    ? write(0x17, Buffer.from(digits.slice(2)))
    : write(0x18, Buffer.from(digits));
}

const extension = (kind: string, value: Buffer, isCritical = false): Buffer =>
  sequence(oid(kind), ...(isCritical ? [TRUE] : []), octets(value));

/** BIT STRING of whole bytes, the last with `unused` bits. */
function bits(bytes: Buffer | number, unused: number): Buffer {
  return write(0x03, Buffer.from([unused]), typeof bytes === 'number' ? Buffer.from([bytes]) : bytes);
}

function alternativeName(host: string): Buffer {
  return isIP(host) === 0 ? write(0x82, Buffer.from(host, 'latin1')) : write(0x87, addressBytes(host));
}

/** 4 bytes, or 16. */
function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const text = dotted ? `${dotted[1]}${hex(dotted[2]!, dotted[3]!)}:${hex(dotted[4]!, dotted[5]!)}` : address;
  const [head = '', tail] = text.replace(/%.*$/, '').split('::') as [string, string | undefined];
  const groups = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const first = groups(head);
  const last = tail === undefined ? [] : groups(tail);
  const all = [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last];
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 0xff]));
}

const hex = (high: string, low: string): string => (Number(high) * 256 + Number(low)).toString(16);
