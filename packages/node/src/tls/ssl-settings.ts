import path from 'node:path';
import tls from 'node:tls';
import type { SecureSettings } from '../keystore/secure-settings.js';
import { ConfigurationError, type NodeSettings } from '../settings/load-settings.js';
import type { SslLayer } from '../settings/ssl-setting-rows.js';
import { checkStoreType } from './store-type.js';

/** Value of `ssl.client_authentication`. */
export type ClientAuthentication = 'none' | 'optional' | 'required';
/** Value of `ssl.verification_mode`. */
export type VerificationMode = 'full' | 'certificate' | 'none';

/** A PKCS#12 file and its password. */
export interface StoreFile {
  readonly path: string;
  readonly password: string;
}

/** TLS of one layer as configured; paths are absolute. */
export interface SslSettings {
  readonly layer: SslLayer;
  readonly identity:
    | { readonly key: string; readonly keyPassphrase: string | null; readonly certificate: string }
    | StoreFile;
  /** Files of trusted authorities, or a store; null: those that the crypto library comes with. */
  readonly trust: readonly string[] | StoreFile | null;
  readonly clientAuthentication: ClientAuthentication;
  readonly verificationMode: VerificationMode;
  readonly minVersion: tls.SecureVersion;
  readonly maxVersion: tls.SecureVersion;
  /** Cipher suites by OpenSSL's names; null for the library's default. */
  readonly ciphers: string | null;
}

/**
 * Reads the settings of a layer with TLS. Throws ConfigurationError for contradictions and for what is not supported.
 */
export function sslSettings(
  settings: NodeSettings,
  secure: SecureSettings,
  layer: SslLayer,
  confFolder: string,
): SslSettings {
  const prefix = `xpack.security.${layer}.ssl.`;
  const at = (file: string): string => path.resolve(confFolder, file);
  const text = (name: string): string | null => settings.text(`${prefix}${name}`);
  const secret = (name: string, secureName: string): string | null =>
    secretOf(settings, secure, `${prefix}${name}`, `${prefix}${secureName}`);
  const store = (kind: string): StoreFile | null => {
    const file = text(`${kind}.path`);
    if (file === null) return null;
    checkStoreType(`${prefix}${kind}`, text(`${kind}.type`), file);
    return { path: at(file), password: secret(`${kind}.password`, `${kind}.secure_password`) ?? '' };
  };
  const authorities = settings.list(`${prefix}certificate_authorities`);
  const trustStore = store('truststore');
  if (authorities.length > 0 && trustStore !== null)
    throw new ConfigurationError(
      `cannot specify both [${prefix}truststore.path] and [${prefix}certificate_authorities]`,
    );
  return {
    layer,
    identity: identityOf(prefix, {
      key: text('key'),
      certificate: text('certificate'),
      keyPassphrase: secret('key_passphrase', 'secure_key_passphrase'),
      store: store('keystore'),
      at,
    }),
    trust: trustStore ?? (authorities.length > 0 ? authorities.map(at) : null),
    clientAuthentication: text('client_authentication') as ClientAuthentication,
    verificationMode: text('verification_mode') as VerificationMode,
    ...protocolsOf(`${prefix}supported_protocols`, settings.list(`${prefix}supported_protocols`)),
    ciphers: ciphersOf(`${prefix}cipher_suites`, settings.list(`${prefix}cipher_suites`)),
  };
}

function secretOf(settings: NodeSettings, secure: SecureSettings, name: string, secureName: string): string | null {
  const hidden = secure.get(secureName);
  const open = settings.text(name);
  if (hidden !== null && open !== null)
    throw new ConfigurationError(`cannot specify both [${name}] and [${secureName}]`);
  return hidden ?? open;
}

interface IdentityTexts {
  readonly key: string | null;
  readonly certificate: string | null;
  readonly keyPassphrase: string | null;
  readonly store: StoreFile | null;
  readonly at: (file: string) => string;
}

function identityOf(
  prefix: string,
  { key, certificate, keyPassphrase, store, at }: IdentityTexts,
): SslSettings['identity'] {
  if (store !== null && (key !== null || certificate !== null))
    throw new ConfigurationError(
      `cannot specify both [${prefix}keystore.path] and [${prefix}${key === null ? 'certificate' : 'key'}]`,
    );
  if (store !== null) return store;
  if (key !== null && certificate !== null) return { key: at(key), keyPassphrase, certificate: at(certificate) };
  if (key !== null)
    throw new ConfigurationError(`you must specify [${prefix}certificate] because [${prefix}key] is set`);
  if (certificate !== null)
    throw new ConfigurationError(`you must specify [${prefix}key] because [${prefix}certificate] is set`);
  throw new ConfigurationError(
    `invalid SSL configuration for ${prefix.slice(0, -1)} - server ssl configuration requires a key and ` +
      `certificate, but these have not been configured; you must set either [${prefix}keystore.path], or both ` +
      `[${prefix}key] and [${prefix}certificate] (\`shoal certs\` makes them)`,
  );
}

const VERSIONS: readonly tls.SecureVersion[] = ['TLSv1.2', 'TLSv1.3'];

/** Returns the oldest and the newest version of a list of protocols. Throws ConfigurationError. */
export function protocolsOf(
  name: string,
  listed: readonly string[],
): { readonly minVersion: tls.SecureVersion; readonly maxVersion: tls.SecureVersion } {
  const refused = listed.find((protocol) => !VERSIONS.includes(protocol as tls.SecureVersion));
  if (refused !== undefined)
    throw new ConfigurationError(
      `setting [${name}] does not take [${refused}]: the oldest version of TLS is 1.2. Accepted: ` +
        `${VERSIONS.join(', ')}.`,
    );
  const chosen = VERSIONS.filter((version) => listed.includes(version));
  if (chosen.length === 0) throw new ConfigurationError(`setting [${name}] has no value`);
  return { minVersion: chosen[0]!, maxVersion: chosen.at(-1)! };
}

/** Returns cipher suites in OpenSSL's syntax; null for an empty list. Throws ConfigurationError. */
export function ciphersOf(name: string, listed: readonly string[]): string | null {
  if (listed.length === 0) return null;
  const known = new Set(tls.getCiphers());
  return listed
    .map((suite) => {
      const found = [suite, opensslName(suite)].find((candidate) => known.has(candidate.toLowerCase()));
      if (found === undefined)
        throw new ConfigurationError(
          `setting [${name}] does not take [${suite}]: the crypto library has no such cipher suite`,
        );
      return found;
    })
    .join(':');
}

/**
 * Converts `TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256` to OpenSSL's `ECDHE-RSA-AES128-GCM-SHA256`. Names of TLS 1.3 are the
 * same.
 */
function opensslName(suite: string): string {
  if (!suite.includes('_WITH_')) return suite;
  const [, exchange, cipher] = /^TLS_(.+)_WITH_(.+)$/.exec(suite) ?? [];
  if (exchange === undefined || cipher === undefined) return suite;
  const short = cipher
    .replace(/AES_(\d+)/, 'AES$1')
    .replace('_CBC', '')
    .replace(/(CHACHA20_POLY1305)_SHA256$/, '$1');
  return `${exchange === 'RSA' ? '' : `${exchange}_`}${short}`.replaceAll('_', '-');
}
