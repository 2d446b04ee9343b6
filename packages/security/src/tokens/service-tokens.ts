import { type ClusterState, sectionEntry, section } from '@shoal/state';
import type { Random } from '@shoal/doors';
import type { Authentication, RealmRef } from '../authentication.js';
import { equalSecrets, matchesSecret } from '../passwords/secret-hash.js';
import type { Verified } from '../realms/realm.js';
import { SERVICE_ACCOUNT_ROLES } from '../roles/built-in-roles.js';

/** Name of the state's section, which holds `{hash}` by `namespace/service/token`. */
export const SERVICE_TOKENS_SECTION = 'securityServiceTokens';

const REALM: RealmRef = { name: '_service_account', type: '_service_account' };

/** First bytes of every service token; its text therefore begins with `AAEAAW…`. */
const MARK = Buffer.from([0, 1, 0, 1]);

/** Creates a token; returns its text, base64 of the mark and `namespace/service/name:secret`, and its secret. */
export function newServiceToken(
  random: Random,
  account: string,
  name: string,
): { readonly text: string; readonly secret: string } {
  const secret = Buffer.from(random.bytes(16)).toString('base64url');
  return {
    secret,
    text: Buffer.concat([MARK, Buffer.from(`${account}/${name}:${secret}`)])
      .toString('base64')
      .replace(/=+$/, ''),
  };
}

/** Names of the tokens of a service account. */
export function serviceTokenNames(state: ClusterState, account: string): string[] {
  const prefix = `${account}/`;
  return Object.keys(section(state, SERVICE_TOKENS_SECTION))
    .filter((key) => key.startsWith(prefix))
    .map((key) => key.slice(prefix.length));
}

function parse(text: string): { account: string; name: string; secret: string } | null {
  const bytes = Buffer.from(text, 'base64');
  if (!bytes.subarray(0, MARK.length).equals(MARK)) return null;
  const match = /^([^/:]+\/[^/:]+)\/([^/:]+):(.+)$/.exec(bytes.subarray(MARK.length).toString('utf8'));
  return match ? { account: match[1]!, name: match[2]!, secret: match[3]! } : null;
}

/** The authentication of a service account. */
function authenticationOf(account: string): Authentication {
  const user = {
    username: account,
    roles: [],
    fullName: `Service account - ${account}`,
    email: null,
    metadata: { _elastic_service_account: true },
    enabled: true,
  };
  return {
    user,
    realm: REALM,
    lookupRealm: REALM,
    type: 'token',
    apiKey: null,
    runAsBy: null,
    serviceAccount: account,
  };
}

/** Checks a token against the state; null if it is not a service token, or its secret is wrong. */
export function verifyServiceToken(state: ClusterState, text: string): Verified | null {
  const parts = parse(text);
  if (!parts || !SERVICE_ACCOUNT_ROLES.has(parts.account)) return null;
  const key = `${parts.account}/${parts.name}`;
  const hashIn = (now: ClusterState): string | null =>
    (sectionEntry(now, SERVICE_TOKENS_SECTION, key) as { hash: string } | undefined)?.hash ?? null;
  const hash = hashIn(state);
  if (hash === null || !matchesSecret(parts.secret, hash)) return null;
  const authentication = authenticationOf(parts.account);
  return {
    current: (now) => (equalSecrets(hashIn(now) ?? '', hash) ? authentication : null),
    expiresAtMs: null,
    tags: [`service:${key}`, REALM.name],
  };
}
