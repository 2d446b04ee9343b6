import type { ClusterService } from '@shoal/cluster';
import type { Log } from '@shoal/doors';
import type { Security } from '@shoal/security';
import type { PreparedSecurity } from './prepare-security.js';

/**
 * Announces certificates and an enrolment token after the start that made certificates. The code is loaded only then. A
 * failure is logged, and the node runs on.
 */
export function announceFirstStart(
  { isNew, confFolder }: PreparedSecurity,
  { cluster, security }: { readonly cluster: ClusterService; readonly security: Security | null },
  { publishHost, publishPort }: { readonly publishHost: string; readonly publishPort: number },
  log: Log,
): void {
  if (!isNew || security === null) return;
  const terminal = process.stdout.isTTY ? (text: string): void => void process.stdout.write(text) : null;
  const address = `${publishHost}:${publishPort}`;
  void import('./announce-enrollment.js')
    .then(({ announceEnrollment }) => announceEnrollment({ cluster, security, confFolder, address, log, terminal }))
    .catch((error: unknown) =>
      log.write('warn', 'no enrolment token was made; shoal create-enrollment-token makes one', { error }),
    );
}
