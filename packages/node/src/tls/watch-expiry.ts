import type { Clock, Log } from '@shoal/doors';
import { expiryOf } from '@shoal/rest';
import { loadedCertificates } from './loaded-certificates.js';
import type { LayerTls } from './node-tls.js';

const DAY_MS = 86_400_000;

function logExpiring(tls: LayerTls, log: Log, nowMs: number): void {
  for (const certificate of loadedCertificates(tls)) {
    const expiry = expiryOf(certificate, nowMs);
    if (expiry === null) continue;
    const fields = {
      'shoal.tls.layer': tls.settings.layer,
      'file.path': certificate.path,
      'x509.subject': certificate.subject_dn,
      'x509.not_after': certificate.expiry,
    };
    if (expiry.isOver) log.write('error', 'a certificate has expired: connections with it are refused', fields);
    else log.write('warn', 'a certificate expires soon', { ...fields, 'shoal.tls.days_left': expiry.days });
  }
}

/** Logs certificates that have expired or will soon: now, each day, and after files were read again. */
export function watchExpiry(
  layers: readonly LayerTls[],
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): { close(): void } {
  const look = (): void => {
    for (const tls of layers) logExpiring(tls, log, clock.now());
    timer = clock.after(DAY_MS, look);
  };
  let timer = clock.after(0, look);
  for (const tls of layers) tls.onChange(() => logExpiring(tls, log, clock.now()));
  return { close: () => timer.cancel() };
}
