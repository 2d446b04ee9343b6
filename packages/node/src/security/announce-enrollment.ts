import fs from 'node:fs';
import path from 'node:path';
import type { ClusterService } from '@shoal/cluster';
import type { Log } from '@shoal/doors';
import { type Authentication, reservedUser, type Security } from '@shoal/security';
import { ENROLLMENT_MS, enrollmentAction, renderEnrollmentToken } from './enrollment-token.js';
import { authorityFingerprint } from './make-set-up.js';
import { SET_UP_FILES } from './set-up-files.js';

/** Parts of a node that the announcement of enrolment needs. */
export interface EnrollmentAnnouncement {
  readonly cluster: ClusterService;
  readonly security: Security;
  readonly confFolder: string;
  /** Published `host:port` of HTTP. */
  readonly address: string;
  readonly log: Log;
  /** Shows text on the terminal; null if there is none. */
  readonly terminal: ((text: string) => void) | null;
}

const TOKEN_FILE = 'enrollment-token';

/**
 * Announces, after the first start, the HTTP authority to trust and an enrolment token for the next node. The token
 * goes to the terminal or to a file that only the owner can read, never to a log.
 */
export async function announceEnrollment({
  cluster,
  security,
  confFolder,
  address,
  log,
  terminal,
}: EnrollmentAnnouncement): Promise<void> {
  const fingerprint = authorityFingerprint(confFolder);
  const authority = path.join(confFolder, SET_UP_FILES.httpAuthority);
  log.write('info', 'HTTP speaks TLS; clients trust this authority', {
    'file.path': authority,
    'shoal.tls.fingerprint': fingerprint,
  });
  await cluster.waitFor((state) => state.masterNodeId !== null, -1);
  const token = renderEnrollmentToken({ addresses: [address], fingerprint, key: await newKey(cluster, security) });
  if (terminal) {
    terminal(
      `\nHTTP speaks TLS. Clients trust the authority ${authority}\nwith the SHA-256 fingerprint ` +
        `${fingerprint}\n\nAnother node joins within 30 minutes with\n  shoal --enrollment-token ${token}\n\n`,
    );
    return;
  }
  const file = path.join(confFolder, TOKEN_FILE);
  fs.writeFileSync(file, `${token}\n`, { mode: 0o600 });
  log.write(
    'info',
    'a token with which a node joins within 30 minutes is in a file; shoal create-enrollment-token makes others',
    { 'file.path': file },
  );
}

/** Creates an API key of `elastic` that allows only to enrol nodes. Returns `id:secret`. */
async function newKey(cluster: ClusterService, security: Security): Promise<string> {
  const realm = { name: 'reserved', type: 'reserved' };
  const owner: Authentication = {
    user: reservedUser(cluster.state(), 'elastic')!,
    realm,
    lookupRealm: realm,
    type: 'realm',
    apiKey: null,
    runAsBy: null,
    serviceAccount: null,
  };
  const key = {
    name: 'enrollment_token_API_key_first_start',
    expiration: `${ENROLLMENT_MS}ms`,
    role_descriptors: { create_enrollment_token: { cluster: [enrollmentAction('node')] } },
  };
  const made = await security.apiKeyCalls.create(owner, key, null);
  return `${String(made['id'])}:${String(made['api_key'])}`;
}
