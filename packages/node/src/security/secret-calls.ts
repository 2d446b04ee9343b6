import { createPrivateKey, X509Certificate } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { EnrollmentSecrets } from '@shoal/rest';
import type { NodeCalls } from '../assembly/node-calls.js';
import { readS3Clients } from '../s3/s3-clients.js';
import type { SharedClients } from '../s3/shared-clients.js';
import type { PreparedSecurity } from './prepare-security.js';
import { SET_UP_FILES } from './set-up-files.js';

/**
 * Creates the call `reload_secure_settings`: reads the keystore again, and everything that depends on it. Failures are
 * part of the answer.
 */
export function secretCalls(
  { confFolder, secure, protection, settings }: PreparedSecurity,
  stores: SharedClients,
): NodeCalls {
  return {
    async reload_secure_settings(body) {
      const { password } = body as { password: string };
      try {
        const { hasPassword, KEYSTORE_FILE } = await import('../keystore/keystore-file.js');
        const file = path.join(confFolder, KEYSTORE_FILE);
        const isProtected = fs.existsSync(file) && hasPassword(fs.readFileSync(file));
        if (password !== '' && !isProtected)
          throw new Error('Provided keystore password was incorrect: the keystore has none');
        await secure.reload(password);
        protection.reload();
        stores.replace(readS3Clients(settings, secure));
        return {};
      } catch (error) {
        return { reload_exception: { type: 'security_exception', reason: (error as Error).message } };
      }
    },
  };
}

/**
 * Reads the certificates of the first start for joining nodes; null if enrolment is off or the node uses other files.
 */
export function enrollmentSecrets({ settings, confFolder }: PreparedSecurity): EnrollmentSecrets | null {
  if (!settings.boolean('xpack.security.enrollment.enabled')) return null;
  const read = (name: keyof typeof SET_UP_FILES): Buffer => fs.readFileSync(path.join(confFolder, SET_UP_FILES[name]));
  const certificate = (name: keyof typeof SET_UP_FILES): string =>
    new X509Certificate(read(name)).raw.toString('base64');
  const key = (name: keyof typeof SET_UP_FILES): string =>
    createPrivateKey(read(name)).export({ format: 'der', type: 'pkcs8' }).toString('base64');
  if (!fs.existsSync(path.join(confFolder, SET_UP_FILES.httpAuthorityKey))) return null;
  return {
    httpAuthority: certificate('httpAuthority'),
    httpAuthorityKey: key('httpAuthorityKey'),
    transportAuthority: certificate('transportAuthority'),
    transport: certificate('transport'),
    transportKey: key('transportKey'),
  };
}
