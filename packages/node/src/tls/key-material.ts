import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import fs from 'node:fs';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { ConfigurationError } from '../settings/load-settings.js';
import { readPkcs12 } from './pkcs12/read-pkcs12.js';
import { refuseJavaStore } from './store-type.js';
import type { SslSettings, StoreFile } from './ssl-settings.js';

/** Key, certificates and trusted authorities of a layer, in PEM. Plain data that can be sent to other threads. */
export interface KeyMaterial {
  readonly key: string;
  /** The certificate, then its chain. */
  readonly certificate: string;
  /** Trusted authorities; null for those of the crypto library. */
  readonly authorities: readonly string[] | null;
}

/** Returns the files from which the material of a layer is read. */
export function filesOf({ identity, trust }: SslSettings): readonly string[] {
  const own = 'path' in identity ? [identity.path] : [identity.key, identity.certificate];
  return [...own, ...(trust === null ? [] : 'path' in trust ? [trust.path] : trust)];
}

/**
 * Reads all files of a layer and checks that the crypto library accepts them. Throws ConfigurationError that names the
 * file.
 */
export function loadKeyMaterial(settings: SslSettings): KeyMaterial {
  const load = <T>(what: string, file: string, read: () => T): T => {
    try {
      return read();
    } catch (error) {
      throw new ConfigurationError(
        `failed to load SSL configuration [xpack.security.${settings.layer}.ssl] - cannot read configured ${what} ` +
          `[${file}]: ${reasonOf(error)}`,
      );
    }
  };
  const { identity, trust } = settings;
  const own =
    'path' in identity
      ? load('PKCS#12 keystore', identity.path, () => identityOfStore(identity))
      : identityOfFiles(identity, load);
  const authorities =
    trust === null
      ? null
      : 'path' in trust
        ? load('PKCS#12 truststore', trust.path, () => authoritiesOfStore(trust))
        : trust.flatMap((file) => load('PEM certificate authorities', file, () => pemCertificates(file)));
  const material = { ...own, authorities };
  load('certificate', 'path' in identity ? identity.path : identity.certificate, () =>
    createSecureContext(secureContextOf(settings, material)),
  );
  return material;
}

/** Options of a TLS context with the material of a layer. */
export function secureContextOf(
  { minVersion, maxVersion, ciphers }: SslSettings,
  { key, certificate, authorities }: KeyMaterial,
): SecureContextOptions {
  return {
    key,
    cert: certificate,
    minVersion,
    maxVersion,
    ...(authorities === null ? {} : { ca: [...authorities] }),
    ...(ciphers === null ? {} : { ciphers }),
  };
}

/** Returns the reason why a file of keys or certificates cannot be used, to be shown to the user. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'the file does not exist';
  if (code === 'EACCES') return 'not permitted to read the file';
  return /bad decrypt|interrupted or cancelled|Passphrase required/i.test(message)
    ? 'the password is wrong or missing'
    : message;
}

type Load = <T>(what: string, file: string, read: () => T) => T;

function identityOfFiles(
  { key, keyPassphrase, certificate }: Exclude<SslSettings['identity'], StoreFile>,
  load: Load,
): Pick<KeyMaterial, 'key' | 'certificate'> {
  const privateKey = load('PEM private key', key, () =>
    createPrivateKey({ key: fs.readFileSync(key), ...(keyPassphrase === null ? {} : { passphrase: keyPassphrase }) }),
  );
  const chain = load('PEM certificate', certificate, () => pemCertificates(certificate));
  load('PEM certificate', certificate, () => checkPair(privateKey, chain[0]!));
  return { key: pemOf(privateKey), certificate: chain.join('') };
}

function checkPair(key: KeyObject, certificate: string): void {
  if (!new X509Certificate(certificate).checkPrivateKey(key))
    throw new Error('the private key is not that of the certificate');
}

const pemOf = (key: KeyObject): string => key.export({ format: 'pem', type: 'pkcs8' }).toString();

/** Reads the certificates of a PEM file, each as PEM. */
export function pemCertificates(file: string): string[] {
  const blocks =
    fs.readFileSync(file, 'latin1').match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0) throw new Error('the file holds no certificate');
  return blocks.map((block) => new X509Certificate(block).toString());
}

/** Reads the key of a PKCS#12 keystore and its certificate, with the chain, as PEM. */
export function identityOfStore({ path: file, password }: StoreFile): Pick<KeyMaterial, 'key' | 'certificate'> {
  const { keys, certificates } = readStore(file, password);
  const [key, ...more] = keys.map((item) => createPrivateKey({ key: item.der, format: 'der', type: 'pkcs8' }));
  if (key === undefined) throw new Error('the keystore does not contain a private key entry');
  if (more.length > 0) throw new Error('the keystore contains more than one private key');
  const chain = certificates.map(({ der }) => new X509Certificate(der));
  const own = chain.find((certificate) => certificate.checkPrivateKey(key));
  if (own === undefined) throw new Error('the keystore contains no certificate of its private key');
  // The root is not sent: a client that does not have it does not trust it either.
  const rest = chain.filter((certificate) => certificate !== own && !certificate.checkIssued(certificate));
  return { key: pemOf(key), certificate: [own, ...rest].map(String).join('') };
}

function readStore(file: string, password: string): ReturnType<typeof readPkcs12> {
  const content = fs.readFileSync(file);
  refuseJavaStore(content, file);
  return readPkcs12(content, password);
}

/** Reads the certificates of a PKCS#12 truststore, each as PEM. */
export function authoritiesOfStore({ path: file, password }: StoreFile): string[] {
  const { certificates } = readStore(file, password);
  if (certificates.length === 0) throw new Error('the truststore does not contain any trusted certificate entries');
  return certificates.map(({ der }) => new X509Certificate(der).toString());
}
