import { expiryOf, type KnownCertificate } from '../../http/certificate-expiry.js';
import type { Cause, RemedyCall } from './cause.js';

const LIST: readonly RemedyCall[] = [
  { does: 'lists the certificates of this node', method: 'GET', path: '/_ssl/certificates' },
];

/** Certificates of the answering node that have expired or will expire soon. */
export function certificateCauses(nodeName: string, certificates: readonly KnownCertificate[], nowMs: number): Cause[] {
  return certificates.flatMap((certificate): Cause[] => {
    const expiry = expiryOf(certificate, nowMs);
    if (expiry === null) return [];
    const what = `the certificate [${certificate.subject_dn}]`;
    return [
      {
        severity: expiry.isOver ? 'blocked' : 'warning',
        about: `node ${nodeName}`,
        why: expiry.isOver
          ? `${what} has expired: clients and nodes refuse connections with it`
          : `${what} expires in ${expiry.days} days: then clients and nodes refuse connections with it`,
        evidence: [`[${certificate.path}] is valid until ${certificate.expiry}`],
        advice: 'replace the file: it is read again without a restart',
        mend: LIST,
      },
    ];
  });
}
