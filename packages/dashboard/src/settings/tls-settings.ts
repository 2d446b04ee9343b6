import { DashboardSettingsError, type SettingValues } from './setting-values.js';

/** PEM files of a certificate and its key. */
export interface PemFiles {
  readonly certificate: string;
  readonly key: string;
  readonly keyPassphrase: string | null;
}

/** A PKCS#12 file. */
export interface StoreFile {
  readonly path: string;
  readonly password: string;
}

/** Files of one side of TLS. */
export interface TlsSettings {
  /** What is shown to the other side; null for nothing. */
  readonly identity: PemFiles | StoreFile | null;
  /** PEM files of trusted authorities; without any, and without a truststore, those of the system. */
  readonly authorities: readonly string[];
  readonly truststore: StoreFile | null;
}

/** TLS for browsers. */
export interface ServerTls extends TlsSettings {
  readonly clientAuthentication: 'none' | 'optional' | 'required';
  /** PEM files of lists of revoked certificates. */
  readonly revocationLists: readonly string[];
  readonly versionMin: TlsVersion;
  readonly versionMax: TlsVersion;
  /** OpenSSL names; empty for those of the crypto library. */
  readonly ciphers: readonly string[];
  /** Port at which plain HTTP is led to HTTPS; null for none. */
  readonly redirectPort: number | null;
}

/** Versions of the protocol, the oldest first. */
const VERSIONS = ['TLSv1.1', 'TLSv1.2', 'TLSv1.3'] as const;
type TlsVersion = (typeof VERSIONS)[number];

/** Reads `<prefix>.certificate`, `.key`, `.keystore.*`, `.certificateAuthorities` and `.truststore.*`. */
export function tlsSettings(values: SettingValues, prefix: string): TlsSettings {
  return {
    identity: identityOf(values, prefix),
    authorities: values.list(`${prefix}.certificateAuthorities`),
    truststore: storeFile(values, `${prefix}.truststore`),
  };
}

/** Reads `server.ssl.*`; null if TLS is off. Throws DashboardSettingsError for what does not fit together. */
export function serverTls(values: SettingValues, port: number): ServerTls | null {
  if (!values.boolean('server.ssl.enabled')) return null;
  const tls = tlsSettings(values, 'server.ssl');
  if (tls.identity === null)
    throw new DashboardSettingsError(
      '[server.ssl.enabled] needs [server.ssl.certificate] and [server.ssl.key], or [server.ssl.keystore.path]',
    );
  const redirectPort = values.integer('server.ssl.redirectHttpFromPort');
  if (redirectPort !== null && redirectPort === port)
    throw new DashboardSettingsError('[server.ssl.redirectHttpFromPort] must not be [server.port]');
  const revocationLists = values.list('shoal.dashboard.certificate_revocation_lists');
  const clientAuthentication = values.text('server.ssl.clientAuthentication') as ServerTls['clientAuthentication'];
  if (revocationLists.length > 0 && clientAuthentication === 'none')
    throw new DashboardSettingsError(
      '[shoal.dashboard.certificate_revocation_lists] needs [server.ssl.clientAuthentication]: ' +
        'no certificate is asked for',
    );
  const versions = versionsOf(values.list('server.ssl.supportedProtocols'));
  return {
    ...tls,
    clientAuthentication,
    revocationLists,
    versionMin: versions[0]!,
    versionMax: versions.at(-1)!,
    ciphers: values.list('server.ssl.cipherSuites'),
    redirectPort,
  };
}

function identityOf(values: SettingValues, prefix: string): PemFiles | StoreFile | null {
  const [certificate, key] = [values.text(`${prefix}.certificate`), values.text(`${prefix}.key`)];
  const store = storeFile(values, `${prefix}.keystore`);
  if (store !== null && (certificate !== null || key !== null))
    throw new DashboardSettingsError(`[${prefix}.keystore.path] takes the place of [${prefix}.certificate] and .key`);
  if (store !== null) return store;
  if (certificate === null && key === null) return null;
  if (certificate === null || key === null)
    throw new DashboardSettingsError(`[${prefix}.certificate] and [${prefix}.key] need each other`);
  return { certificate, key, keyPassphrase: values.text(`${prefix}.keyPassphrase`) };
}

function storeFile(values: SettingValues, prefix: string): StoreFile | null {
  const path = values.text(`${prefix}.path`);
  return path === null ? null : { path, password: values.text(`${prefix}.password`) ?? '' };
}

/** The named versions in order. OpenSSL takes a range, so there must be no gap. */
function versionsOf(named: readonly string[]): TlsVersion[] {
  const known = VERSIONS.filter((version) => named.includes(version));
  const isGapless = known.length === 3 || !(known.includes('TLSv1.1') && known.includes('TLSv1.3'));
  if (known.length === 0 || known.length !== new Set(named).size || !isGapless)
    throw new DashboardSettingsError(
      `[server.ssl.supportedProtocols] takes versions without a gap of ${VERSIONS.join(', ')} ` +
        `but was [${named.join(', ')}]`,
    );
  return known;
}
