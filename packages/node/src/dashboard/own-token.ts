import { timingSafeEqual } from 'node:crypto';
import type { Random } from '@shoal/doors';
import type { Admit, Authentication, Security } from '@shoal/security';

const ACCOUNT = 'elastic/kibana';
const REALM = { name: '_service_account', type: '_service_account' };

/** The authentication of the service account that the dashboard inside a node calls as. */
const KIBANA: Authentication = {
  user: {
    username: ACCOUNT,
    roles: [],
    fullName: `Service account - ${ACCOUNT}`,
    email: null,
    metadata: { _elastic_service_account: true },
    enabled: true,
  },
  realm: REALM,
  lookupRealm: REALM,
  type: 'token',
  apiKey: null,
  runAsBy: null,
  serviceAccount: ACCOUNT,
};

/** A token of `elastic/kibana` that this node alone takes, while it runs. It is in no state and no file. */
export interface OwnToken {
  /** Value of the setting `elasticsearch.serviceAccountToken`. */
  readonly text: string;
  /** Admits requests with the token, and hands all others to `admit`. */
  admits(security: Pick<Security, 'admit' | 'subjectOf'>): Admit;
}

/** Makes a token of 32 random bytes. */
export function makeOwnToken(random: Random): OwnToken {
  const text = Buffer.from(random.bytes(32)).toString('base64url');
  const header = Buffer.from(`Bearer ${text}`);
  const isOwn = (given: unknown): boolean => {
    if (typeof given !== 'string' || given.length !== header.length) return false;
    const bytes = Buffer.from(given);
    return bytes.length === header.length && timingSafeEqual(bytes, header);
  };
  return {
    text,
    admits: (security) => (arrival) =>
      isOwn(arrival.headers['authorization']) && arrival.headers['es-security-runas-user'] === undefined
        ? security.subjectOf(KIBANA)
        : security.admit(arrival),
  };
}
