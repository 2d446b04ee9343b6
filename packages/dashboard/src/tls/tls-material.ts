import fs from 'node:fs';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import type { StoreFile, TlsSettings } from '../settings/tls-settings.js';
import { DashboardSettingsError } from '../settings/setting-values.js';

/** Reads PKCS#12 files; the certificates and keys that it returns are PEM. Throws for what cannot be read. */
export interface KeyStores {
  identity(store: StoreFile): { readonly certificate: string; readonly key: string };
  authorities(store: StoreFile): readonly string[];
}

/** Files that the material of one side is read from. */
export function tlsFilesOf({ identity, authorities, truststore }: TlsSettings): readonly string[] {
  const own = identity === null ? [] : 'path' in identity ? [identity.path] : [identity.certificate, identity.key];
  return [...own, ...authorities, ...(truststore === null ? [] : [truststore.path])];
}

const LIST_PEM = /-----BEGIN X509 CRL-----[^]*?-----END X509 CRL-----/g;

/** Lists of revoked certificates in PEM files. Throws DashboardSettingsError for a file without one. */
export function readRevocationLists(files: readonly string[]): readonly string[] {
  return files.flatMap((file) => {
    const lists = contentOf(file).toString('latin1').match(LIST_PEM);
    if (lists === null) throw new DashboardSettingsError(`the file [${file}] holds no list of revoked certificates`);
    return lists.map((list) => named(file, () => checkedList(list)));
  });
}

function checkedList(list: string): string {
  createSecureContext({ crl: list });
  return list;
}

/**
 * Reads certificate, key and trusted authorities of one side, and checks that the crypto library takes them. Throws
 * DashboardSettingsError that names the file.
 */
export function readTlsMaterial(settings: TlsSettings, stores: KeyStores): SecureContextOptions {
  const material: SecureContextOptions = { ...identityOf(settings, stores), ...authoritiesOf(settings, stores) };
  try {
    createSecureContext(material);
  } catch (error) {
    throw new DashboardSettingsError(`[${tlsFilesOf(settings).join(', ')}]: ${(error as Error).message}`);
  }
  return material;
}

function identityOf({ identity }: TlsSettings, stores: KeyStores): SecureContextOptions {
  if (identity === null) return {};
  if ('path' in identity) {
    const { certificate, key } = named(identity.path, () => stores.identity(identity));
    return { cert: certificate, key };
  }
  return {
    cert: contentOf(identity.certificate),
    key: contentOf(identity.key),
    ...(identity.keyPassphrase === null ? {} : { passphrase: identity.keyPassphrase }),
  };
}

function authoritiesOf({ authorities, truststore }: TlsSettings, stores: KeyStores): SecureContextOptions {
  const stored = truststore === null ? [] : named(truststore.path, () => stores.authorities(truststore));
  const all = [...authorities.map(contentOf), ...stored];
  return all.length === 0 ? {} : { ca: all };
}

const contentOf = (file: string): Buffer => named(file, () => fs.readFileSync(file));

function named<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new DashboardSettingsError(`the file [${file}] cannot be read: ${(error as Error).message}`);
  }
}
