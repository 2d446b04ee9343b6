import { X509Certificate } from 'node:crypto';
import type { LayerTls } from './node-tls.js';

/** One row of `GET /_ssl/certificates`. */
export interface LoadedCertificate {
  readonly path: string;
  readonly format: 'PEM' | 'PKCS12';
  readonly alias: null;
  readonly subject_dn: string;
  readonly serial_number: string;
  readonly has_private_key: boolean;
  readonly expiry: string;
  readonly issuer: string;
}

/** Lists every certificate of a layer: its own with the chain, and the trusted ones. */
export function loadedCertificates({ settings: { identity, trust }, material }: LayerTls): LoadedCertificate[] {
  const { certificate, authorities } = material();
  const chain = certificate.match(/-----BEGIN[^-]*-----[^-]*-----END[^-]*-----/g) ?? [];
  const own =
    'path' in identity
      ? ({ path: identity.path, format: 'PKCS12' } as const)
      : ({ path: identity.certificate, format: 'PEM' } as const);
  const trusted =
    trust === null || 'path' in trust
      ? ({ path: trust?.path ?? '', format: 'PKCS12' } as const)
      : ({ path: trust.join(','), format: 'PEM' } as const);
  return [
    ...chain.map((pem, i) => rowOf(pem, own, i === 0)),
    ...(authorities ?? []).map((pem) => rowOf(pem, trusted, false)),
  ];
}

function rowOf(pem: string, place: Pick<LoadedCertificate, 'path' | 'format'>, hasKey: boolean): LoadedCertificate {
  const certificate = new X509Certificate(pem);
  return {
    ...place,
    alias: null,
    subject_dn: dnOf(certificate.subject),
    serial_number: certificate.serialNumber.toLowerCase(),
    has_private_key: hasKey,
    expiry: new Date(certificate.validTo).toISOString(),
    issuer: dnOf(certificate.issuer),
  };
}

/**
 * Formats a name as `CN=a, O=b`, most specific part first (RFC 2253). The library gives one part a line, in reverse
 * order.
 */
const dnOf = (lines: string): string => lines.split('\n').toReversed().join(', ');
