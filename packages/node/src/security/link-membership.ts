import type { Log } from '@shoal/doors';
import type { DeriveKey } from '@shoal/security';
import type { SecureSettings } from '../keystore/secure-settings.js';
import type { MembershipProof } from '../links/link-security.js';
import type { NodeSettings } from '../settings/load-settings.js';
import type { LayerTls } from '../tls/node-tls.js';
import { isSecurityEnabled } from './security-settings.js';

const SECRET = 'shoal.transport.secret';
const KEY_BYTES = 32;
/** As for passwords: a guess costs 16 MB and some 50 ms, because a proof can be tried out by who has recorded it. */
const SCRYPT = { N: 16_384, r: 8, p: 1 };

/**
 * Whether only nodes with a certificate of the cluster's authority are linked. Without authorities of its own, a node
 * trusts those of the crypto library, whose certificates anybody can get.
 */
function provesByCertificate(linkTls: LayerTls | null): boolean {
  if (linkTls === null) return false;
  const { clientAuthentication, verificationMode } = linkTls.settings;
  return clientAuthentication === 'required' && verificationMode !== 'none' && linkTls.material().authorities !== null;
}

/** Returns the secret by which nodes of the cluster know each other; null if there is none or certificates do it. */
function clusterSecret(settings: NodeSettings, secure: SecureSettings, linkTls: LayerTls | null): string | null {
  const own = secure.get(SECRET);
  if (own !== null) return own;
  if (!isSecurityEnabled(settings) || provesByCertificate(linkTls)) return null;
  return settings.text('bootstrap.password');
}

/** What a node with links shows to others and asks of them. The secret is stretched into a key, once. */
export async function membershipProof(
  settings: NodeSettings,
  secure: SecureSettings,
  linkTls: LayerTls | null,
  deriveKey: DeriveKey,
): Promise<MembershipProof> {
  const secret = clusterSecret(settings, secure, linkTls);
  const salt = Buffer.from(`shoal link ${settings.text('cluster.name')}`);
  return {
    isSecured: isSecurityEnabled(settings),
    key: secret === null ? null : (await deriveKey(secret, salt, KEY_BYTES, SCRYPT)).toString('hex'),
    admitsEarlier: settings.boolean('shoal.transport.admit_unproven'),
  };
}

/** Logs what remains possible for strangers on the ports of the links of a node with security. */
export function warnOfOpenLinks(proof: MembershipProof, linkTls: LayerTls | null, log: Log): void {
  if (!proof.isSecured) return;
  const isProven = proof.key !== null || provesByCertificate(linkTls);
  if (!isProven)
    log.write(
      'warn',
      'security is on, but links between nodes ask for no proof: every process that reaches the transport ports ' +
        'reads and writes all documents. Set xpack.security.transport.ssl.enabled with client_authentication ' +
        'required and authorities of your own, or the same ELASTIC_PASSWORD or shoal.transport.secret on all nodes',
    );
  else if (linkTls === null)
    log.write(
      'warn',
      'links between nodes are not encrypted: whoever can read or change the traffic of this network reads and ' +
        'writes documents. Set xpack.security.transport.ssl.enabled',
    );
  if (proof.admitsEarlier)
    log.write(
      'warn',
      'shoal.transport.admit_unproven is on: nodes are linked that prove nothing. End it with the upgrade',
    );
}
