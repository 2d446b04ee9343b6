import { createPrivateKey, X509Certificate } from 'node:crypto';
import fs from 'node:fs';
import { readPkcs12 } from '../tls/pkcs12/read-pkcs12.js';
import type { IssuedCertificate } from './make-certificate.js';

/** Where an authority is: in two PEM files or in one PKCS#12 file. */
export type AuthorityFiles =
  | { readonly store: string; readonly password: string }
  | { readonly certificate: string; readonly key: string; readonly password: string };

/** Reads an authority with its key. Throws an Error whose message is shown to the user. */
export function readAuthority(files: AuthorityFiles): IssuedCertificate {
  if ('store' in files) return ofStore(files.store, files.password);
  const key = createPrivateKey({
    key: fs.readFileSync(files.key),
    ...(files.password === '' ? {} : { passphrase: files.password }),
  });
  return {
    certificate: new X509Certificate(fs.readFileSync(files.certificate)).toString(),
    key: key.export({ format: 'pem', type: 'pkcs8' }).toString(),
  };
}

function ofStore(file: string, password: string): IssuedCertificate {
  const store = readPkcs12(fs.readFileSync(file), password);
  const [item] = store.keys;
  if (item === undefined) throw new Error(`[${file}] holds no private key`);
  const key = createPrivateKey({ key: item.der, format: 'der', type: 'pkcs8' });
  const certificate = store.certificates
    .map(({ der }) => new X509Certificate(der))
    .find((one) => one.checkPrivateKey(key));
  if (certificate === undefined) throw new Error(`[${file}] holds no certificate of its key`);
  return { certificate: certificate.toString(), key: key.export({ format: 'pem', type: 'pkcs8' }).toString() };
}
