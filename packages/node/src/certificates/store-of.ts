import { createPrivateKey, X509Certificate } from 'node:crypto';
import { writePkcs12 } from '../tls/pkcs12/write-pkcs12.js';
import type { IssuedCertificate } from './make-certificate.js';

/** Encodes a PKCS#12 file with a key, its certificate and the authorities above it. */
export function storeOf(
  name: string,
  { certificate, key }: IssuedCertificate,
  chain: readonly string[],
  password: string,
): Buffer {
  const der = (pem: string): Buffer => new X509Certificate(pem).raw;
  const entry = {
    name,
    certificate: der(certificate),
    key: createPrivateKey(key).export({ format: 'der', type: 'pkcs8' }),
  };
  return writePkcs12(
    { entry, authorities: chain.map((pem, i) => ({ name: i === 0 ? 'ca' : `ca-${i}`, certificate: der(pem) })) },
    password,
  );
}
